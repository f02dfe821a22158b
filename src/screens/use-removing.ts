import { useDeleteMany } from '@refinedev/core'
import { App } from 'antd'
import type { Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { countText } from './use-actions.tsx'
import type { Rows } from './use-rows.ts'

/** Deleting with its question; several rows at once when they are chosen. */
export function useRemoving(resource: Resource, table: Rows, done: () => void) {
  const t = useT()
  const { modal, message } = App.useApp()
  const { mutateAsync } = useDeleteMany()
  return (ids: readonly string[]): void => {
    if (ids.length === 0) {
      void message.warning(t('请选择至少一条数据'))
      return
    }
    const remove = async (): Promise<void> => {
      // A refusal has been shown; the rows stay chosen.
      await mutateAsync({ resource: resource.name, ids: [...ids] }).then(done, () => undefined)
      table.reload()
    }
    const okButtonProps = { danger: true }
    modal.confirm({
      title: t('确定将选择数据删除?'),
      content: countText(t, ids),
      okText: t('确定'),
      cancelText: t('取消'),
      okButtonProps,
      onOk: remove,
    })
  }
}
