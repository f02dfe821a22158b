import type { ReactNode } from 'react'
import { useCanChange } from '../../../screens/may.ts'
import { ReasonButton } from '../../../screens/parts/ReasonButton.tsx'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { reviewInfo, revokeReview, workList } from '../contract.ts'

interface Props {
  id: string
  version: number | undefined
  /** The sign-up can be taken back by this person. */
  can: boolean | undefined
  /** Asks at once. */
  asks?: boolean
  /** Stands at a row of a list. */
  isAtRow?: boolean
}

/** Takes a decision back, with a reason. */
export function RevokeButton({ id, version, can, asks, isAtRow }: Props): ReactNode {
  const byReviewer = useCanChange('examine_revoke')
  const byOfficer = useCanChange('signup_revoke')
  const own = [useCanChange('examine_act'), useCanChange('examine_recheck')]
  const may = byReviewer || byOfficer || own.some(Boolean)
  const revoke = useSend(revokeReview, { stale: [reviewInfo, workList] })
  if (!may || !can) return null
  return (
    <ReasonButton
      asks={asks}
      isPlain={isAtRow}
      label="撤销审核"
      placeholder="请输入撤销原因"
      kept={{ form: 'examine/revoke', rowId: id }}
      busy={revoke.isPending}
      run={reason => revoke.mutateAsync({ signUpId: id, reason, version })}
    />
  )
}
