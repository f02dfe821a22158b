import type { ReactNode } from 'react'
import { useCanChange } from '../../../screens/may.ts'
import { ReasonButton } from '../../../screens/parts/ReasonButton.tsx'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { dropStrike, reviewInfo } from '../contract.ts'

/** Lets a disqualification drop that waits for a second person, with a reason. */
export function DropStrike({ id }: { id: string }): ReactNode {
  const may = useCanChange('signup_strike')
  const drop = useSend(dropStrike, { stale: [reviewInfo] })
  if (!may) return null
  return (
    <ReasonButton
      label="不取消资格"
      placeholder="请输入不取消资格的理由"
      kept={{ form: 'examine/drop-strike', rowId: id }}
      busy={drop.isPending}
      run={reason => drop.mutateAsync({ signUpId: id, reason })}
    />
  )
}
