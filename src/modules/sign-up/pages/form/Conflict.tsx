import { Button, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { ExamForm } from './exam-form.ts'
import { sheetOf } from './sheet.ts'
import type { SheetState } from './use-sheet.ts'

/** Two versions of one form, from another device or from an earlier visit: the person says which one goes on. */
export function Conflict({
  state,
  reload,
}: {
  state: SheetState
  reload: () => Promise<ExamForm | undefined>
}): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const here = state.other ?? (state.saving === 'conflict' ? state.sheet : undefined)
  const choose = async (isHere: boolean): Promise<void> => {
    setBusy(true)
    try {
      const mine = (await reload())?.mySignup
      if (mine === undefined || !here) return
      const base = mine ? { id: mine.id, version: mine.version } : { id: '', version: 0 }
      state.settle(isHere ? here : sheetOf(mine), base)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open={here !== undefined}
      title={t('有两份不同的内容')}
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      footer={
        <div className="my-actions">
          <Button size="large" loading={busy} onClick={() => void choose(false)}>
            {t('用服务器上的')}
          </Button>
          <Button size="large" type="primary" loading={busy} onClick={() => void choose(true)}>
            {t('用这台设备上的')}
          </Button>
        </div>
      }
    >
      <p>{t('服务器上的内容已在别处更新，与这台设备上的不同。请选择保留哪一份，另一份将不再保留。')}</p>
    </Modal>
  )
}
