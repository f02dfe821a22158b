import type { MessageInstance } from 'antd/es/message/interface'
import { type Resource, undoSeconds } from '#engine'
import { newKey } from '../platform/http/browser/http.ts'
import { t } from '../platform/i18n/i18n.ts'
import { type AnyAction, actionsAt, applies, idOf } from './actions.ts'
import { partly } from './answers.ts'
import type { WireRow } from './fields/props.ts'
import { runAction } from './run-action.ts'
import { doneText } from './window/toasts.tsx'
import { offerUndo } from './window/undo.tsx'

/** An action that was just made, and what is said of it. */
export interface Made {
  readonly resource: Resource
  readonly action: AnyAction
  /** As they were before. */
  readonly rows: readonly WireRow[]
  readonly answer: unknown
  readonly said: string
  /** What the rows are called. */
  readonly whom: string
}

/**
 * Says what was done and offers to take it back: for those rows to which the action applied, if all of these were changed. Of others
 * nobody knows whether this person had brought them there.
 * @param may whether the person may use an action
 * @returns false where it cannot be taken back; nothing has been said then
 */
export function tellUndoable(
  { resource, action, rows, answer, said, whom }: Made,
  may: (name: string) => boolean,
  message: MessageInstance,
  reload: () => void,
): boolean {
  const { undo, on = 'row' } = action
  const back = actionsAt(resource, on).find(({ call }) => call === undo?.call)
  const due = rows.filter(row => applies(action, row))
  const some = partly(answer)
  if (!undo || !back || !may(back.name) || due.length === 0 || (some?.changed ?? rows.length) !== due.length)
    return false
  const run = async (): Promise<void> => {
    await runAction(resource, back, { ids: due.map(row => idOf(resource, row)), key: newKey() })
    void message.success(doneText(t('已撤销'), whom))
    reload()
  }
  offerUndo(message, { said, seconds: undo.seconds ?? undoSeconds, run })
  return true
}
