import { type ReactNode, useState } from 'react'
import { useT, useVerb } from '../../../platform/i18n/i18n.ts'
import { More } from '../../../screens/ActionButtons.tsx'
import { useCanChange } from '../../../screens/may.ts'
import { ReasonButton } from '../../../screens/parts/ReasonButton.tsx'
import { ReasonDialog } from '../../../screens/parts/ReasonDialog.tsx'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { reviewInfo, revokeReview, type WorkRow, workList } from '../contract.ts'

const label = '撤销审核'

/** What asks for the reason of taking a decision back; nothing for who may not. */
function useRevoking(id: string, version: number | undefined) {
  const byReviewer = useCanChange('examine_revoke')
  const byOfficer = useCanChange('signup_revoke')
  const own = [useCanChange('examine_act'), useCanChange('examine_recheck')]
  const may = byReviewer || byOfficer || own.some(Boolean)
  const revoke = useSend(revokeReview, { stale: [reviewInfo, workList] })
  if (!may) return undefined
  return {
    placeholder: '请输入撤销原因',
    kept: { form: 'examine/revoke', rowId: id },
    busy: revoke.isPending,
    run: (reason: string) => revoke.mutateAsync({ signUpId: id, reason, version }),
  }
}

interface Props {
  id: string
  version: number | undefined
  /** The sign-up can be taken back by this person. */
  can: boolean | undefined
  /** Asks at once. */
  asks?: boolean
}

/** Takes a decision back, with a reason. */
export function RevokeButton({ id, version, can, asks }: Props): ReactNode {
  const revoking = useRevoking(id, version)
  return can && revoking && <ReasonButton asks={asks} label={label} {...revoking} />
}

/** The menu of a decided row: its decision is taken back. */
export function DecidedMenu({ row }: { row: WorkRow }): ReactNode {
  const t = useT()
  const verb = useVerb()
  const revoking = useRevoking(row.signUpId, row.version)
  const [isAsked, ask] = useState(false)
  if (!row.canRevoke || !revoking) return null
  const buttons = [{ key: 'revoke', label, run: () => ask(true) }]
  return (
    <>
      <More buttons={buttons} label={t('{{name}}的更多操作', { name: row.name })} />
      {isAsked && <ReasonDialog title={verb(label)} onClose={() => ask(false)} {...revoking} />}
    </>
  )
}
