import { App, List } from 'antd'
import { useT } from '../../../platform/i18n/i18n.ts'
import type { RowButton } from '../../../screens/ActionButtons.tsx'
import { useCanChange } from '../../../screens/may.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { passSignups, workList } from '../contract.ts'

/** The button that passes chosen clean rows at once, at most fifty, and says what became of each; nothing for who may not. */
export function useBatchPass(ids: readonly string[], onDone: () => void): RowButton | undefined {
  const t = useT()
  const { modal, message } = App.useApp()
  const may = useCanChange('examine_act')
  const pass = useSend(passSignups, { done: false, stale: [workList] })
  if (!may) return undefined
  const passAll = async () => {
    const answers = await pass.mutateAsync({ ids })
    onDone()
    const failed = answers.filter(one => !one.ok)
    if (!failed.length) return void message.success(t('已通过 {{n}} 条报名', { n: answers.length }))
    modal.info({
      title: t('{{n}} 条未通过', { n: failed.length }),
      content: <List size="small" dataSource={failed} renderItem={one => <List.Item>{one.msg}</List.Item>} />,
    })
  }
  const run = () => {
    if (ids.length > 50) return void message.warning(t('一次最多批量通过 50 条'))
    modal.confirm({
      title: t('确定将所选 {{n}} 条报名审核通过?', { n: ids.length }),
      content: t('资格预检有“不符”的不会通过'),
      onOk: () => passAll().catch(() => undefined),
    })
  }
  return { key: 'pass', label: '批量通过', run }
}
