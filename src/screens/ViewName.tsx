import { Checkbox, Input, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../platform/i18n/i18n.ts'
import type { SavedView } from './contract.ts'
import { useKeptValues } from './use-kept-values.ts'

/** Which view is given a name. */
export interface Naming {
  /** The view that gets another name; a new one without. */
  view?: SavedView
}

interface Props extends Naming {
  /** Whether its filters hold days, which may move on with the present one. */
  hasDays: boolean
  onSave: (title: string, isMoving: boolean) => Promise<void>
  onClose: () => void
}

/** Asks what a view is called. */
export default function ViewName({ view, hasDays, onSave, onClose }: Props): ReactNode {
  const t = useT()
  const { values, change, draft } = useKeptValues(
    { title: view?.title ?? '', isMoving: true },
    { form: 'savedview/name', rowId: view?.id },
  )
  const { title, isMoving } = values
  const [busy, setBusy] = useState(false)
  const save = (): void => {
    if (!title.trim()) return
    setBusy(true)
    // A refusal has been shown; what was typed stays.
    onSave(title.trim(), isMoving).then(
      () => {
        draft.saved()
        onClose()
      },
      () => setBusy(false),
    )
  }
  return (
    <Modal
      open
      title={t(view ? '重命名视图' : '保存为视图')}
      okText={t('确定')}
      cancelText={t('取消')}
      okButtonProps={{ disabled: !title.trim() }}
      confirmLoading={busy}
      onOk={save}
      onCancel={onClose}
    >
      {draft.bar}
      <label htmlFor="view-title">{t('视图名称')}</label>
      <Input
        id="view-title"
        autoFocus
        maxLength={30}
        value={title}
        onChange={({ target }) => change({ title: target.value })}
        onPressEnter={save}
      />
      {!view && <p className="view-note">{t('保存现在的筛选条件、排序、列、行距和每页条数，不含当前考试。')}</p>}
      {!view && hasDays && (
        <Checkbox checked={isMoving} onChange={({ target }) => change({ isMoving: target.checked })}>
          {t('日期随当天变动')}
        </Checkbox>
      )}
    </Modal>
  )
}
