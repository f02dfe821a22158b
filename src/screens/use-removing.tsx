import { useDeleteMany } from '@refinedev/core'
import { App } from 'antd'
import type { Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import { rowName } from './fields/shown-name.ts'
import { rowsText } from './use-actions.tsx'
import { everyRow, type Rows } from './use-rows.ts'
import { doneText } from './window/toasts.tsx'

/** Names in the question at most. */
const NAMED = 5

/** Deleting with its question, which names the rows; several at once when they are chosen. */
export function useRemoving(resource: Resource, table: Rows, done: () => void) {
  const t = useT()
  const { modal, message } = App.useApp()
  const { mutateAsync } = useDeleteMany()
  const rowsOf = (ids: readonly string[]) =>
    everyRow(table.result.data).filter(row => ids.includes(idOf(resource, row)))
  return (ids: readonly string[]): void => {
    if (ids.length === 0) {
      void message.warning(t('请选择至少一条数据'))
      return
    }
    const remove = async (): Promise<void> => {
      // A refusal has been shown; the rows stay chosen.
      const told = doneText(t('删除成功'), rowsText(t, resource, rowsOf(ids)))
      const successNotification = () => ({ type: 'success', message: told }) as const
      await mutateAsync({ resource: resource.name, ids: [...ids], successNotification }).then(done, () => undefined)
      table.reload()
    }
    // Those chosen on other pages are counted.
    const named = rowsOf(ids)
      .map(row => rowName(resource.entity, row))
      .filter(Boolean)
      .slice(0, NAMED)
    const rest = ids.length > named.length ? [t('共 {{n}} 项', { n: ids.length })] : []
    const okButtonProps = { danger: true }
    modal.confirm({
      title: t('确定将选择数据删除?'),
      content: [...named, ...rest].map(line => <div key={line}>{line}</div>),
      okText: t('确定'),
      cancelText: t('取消'),
      okButtonProps,
      onOk: remove,
    })
  }
}
