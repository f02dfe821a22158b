import { Select } from 'antd'
import { useT } from '../../platform/i18n/i18n.ts'
import { jobWorkers } from '../contract.ts'
import { useEndpoint } from '../parts/use-endpoint.ts'
import { type InputProps, inputState, isEmpty } from './props.ts'

/**
 * The processes that may do a job: chosen from those that are alive. A PowerJob server has workers that this program does not know;
 * their addresses are typed.
 */
export function JobWorkersInput(props: InputProps<string>) {
  const t = useT()
  const { value, onChange, beside } = props
  const { data = [], isFetched } = useEndpoint(
    jobWorkers,
    { jobServerId: String(beside) },
    { enabled: !isEmpty(beside) },
  )
  const chosen = (value ?? '').split(',').filter(Boolean)
  const alive = data.map(({ name, isHere }) => ({ value: name, label: isHere ? `${name}（${t('当前进程')}）` : name }))
  // A process that ended since it was chosen is named as one, so that it can be taken out.
  const gone = chosen
    .filter(name => !data.some(one => one.name === name))
    .map(name => ({ value: name, label: data.length > 0 ? `${name}（${t('已退出')}）` : name }))
  return (
    <Select
      {...inputState(props)}
      style={{ width: '100%' }}
      allowClear
      mode={isFetched && data.length === 0 ? 'tags' : 'multiple'}
      tokenSeparators={[',', '，']}
      placeholder={t('全部')}
      value={chosen}
      options={[...alive, ...gone]}
      onChange={(next: string[]) => onChange(next.join(',') || undefined)}
    />
  )
}
