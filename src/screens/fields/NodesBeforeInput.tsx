import { Select } from 'antd'
import { useT } from '../../platform/i18n/i18n.ts'
import { type InputProps, inputState } from './props.ts'

const NAME = 'nodeName'

/** The nodes that a node of a workflow waits for: chosen among the other rows of its table, by their names. */
export function NodesBeforeInput(props: InputProps<string>) {
  const t = useT()
  const { value, onChange, rows } = props
  const chosen = (value ?? '').split(',').filter(Boolean)
  const others = (rows ?? []).map(one => String(one[NAME] ?? '').trim()).filter(Boolean)
  // A node that was renamed or taken out since it was chosen is named as one, so that it can be taken out here, too.
  const gone = chosen.filter(name => !others.includes(name))
  const options = [
    ...[...new Set(others)].map(name => ({ value: name, label: name })),
    ...gone.map(name => ({ value: name, label: rows ? `${name}（${t('不存在')}）` : name })),
  ]
  return (
    <Select
      {...inputState(props)}
      style={{ width: '100%', minWidth: 140 }}
      allowClear
      mode={rows ? 'multiple' : 'tags'}
      tokenSeparators={[',', '，']}
      placeholder={t('立即开始')}
      value={chosen}
      options={options}
      onChange={(next: string[]) => onChange(next.join(',') || undefined)}
    />
  )
}
