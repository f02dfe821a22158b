import { TreeSelect } from 'antd'
import { useState } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { useRefOptions } from './ref-options.ts'
import { type RefSelectProps, selectProps, withChosen } from './ref-props.ts'

/** One or several rows of a resource that is a tree. */
export default function TreeRefSelect(props: RefSelectProps) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  const needed = opened || (Boolean(props.value) && !props.label)
  const { data, isFetching } = useRefOptions(props.entity, { params: props.params, enabled: needed })
  const treeData = data ?? withChosen([], props.value, props.label)
  return (
    <TreeSelect
      {...selectProps(props, t)}
      treeData={treeData}
      fieldNames={{ label: 'label', value: 'value', children: 'children' }}
      showSearch={{ treeNodeFilterProp: 'label' }}
      multiple={props.multiple}
      treeCheckable={props.multiple}
      showCheckedStrategy={TreeSelect.SHOW_ALL}
      treeDefaultExpandAll
      loading={isFetching}
      notFoundContent={isFetching ? t('加载中') : t('没有可选的数据')}
      onOpenChange={open => open && setOpened(true)}
    />
  )
}
