import type { ReactNode } from 'react'
import { positionCode } from '#schemas/exams/position-code'
import RowLink from '../../../../screens/RowLink.tsx'

interface Props {
  /** What names the position: its exam and its code. */
  of: { readonly examId: string; readonly code: string | null | undefined }
  children: ReactNode
}

/** The name of a position in a page made by hand, which leads to it as that in a generated list does. Stands in `ShowsRows`. */
export function PositionLink({ of: { examId, code }, children }: Props): ReactNode {
  const { codeOf } = positionCode
  if (!code) return children
  return (
    <RowLink entity={codeOf.entity} id={code} code={codeOf} row={{ [codeOf.within]: examId }}>
      {children}
    </RowLink>
  )
}
