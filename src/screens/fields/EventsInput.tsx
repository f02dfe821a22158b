import { TreeSelect } from 'antd'
import { useT } from '../../platform/i18n/i18n.ts'
import { hookEventTree } from '../contract.ts'
import { useEndpoint } from '../parts/use-endpoint.ts'
import { type InputProps, inputState } from './props.ts'

/** Names of groups stand for no event: they are never a value. */
const groupMark = '/'

/** Events, chosen from a tree by what they happen to: their names, comma-joined. */
export default function EventsInput(props: InputProps<string>) {
  const t = useT()
  const { value, onChange } = props
  const { data = [], isFetching } = useEndpoint(hookEventTree, {})
  const { status, id, disabled, onBlur } = inputState(props)
  const groups = [...new Set(data.map(one => one.resource))].map(resource => {
    const own = data.filter(one => one.resource === resource)
    return {
      value: `${groupMark}${resource}`,
      title: t(own[0]?.title ?? resource),
      children: own.map(one => ({ value: one.code, title: t(one.label) })),
    }
  })
  return (
    <TreeSelect
      id={id}
      disabled={disabled}
      status={status}
      onBlur={onBlur}
      style={{ width: '100%' }}
      value={data.length > 0 && value ? value.split(',') : []}
      treeData={groups}
      treeCheckable
      showCheckedStrategy={TreeSelect.SHOW_CHILD}
      showSearch={{ treeNodeFilterProp: 'title' }}
      maxTagCount={12}
      allowClear
      loading={isFetching}
      placeholder={t('请选择')}
      notFoundContent={isFetching ? t('加载中') : t('没有可选的数据')}
      onChange={(next: string[]) => onChange(next.filter(one => !one.startsWith(groupMark)).join(',') || undefined)}
    />
  )
}
