import { AutoComplete } from 'antd'
import { useT } from '../../platform/i18n/i18n.ts'
import { jobProcessors } from '../contract.ts'
import { useEndpoint } from '../parts/use-endpoint.ts'
import { type InputProps, inputState, isEmpty } from './props.ts'

/** The processor of a job: one of those that the built-in server has, or a name that another server knows. */
export function JobProcessorInput(props: InputProps<string>) {
  const t = useT()
  const { field, value, onChange, beside } = props
  const { status, ...state } = inputState(props)
  const { data = [] } = useEndpoint(jobProcessors, { jobServerId: String(beside) }, { enabled: !isEmpty(beside) })
  return (
    <AutoComplete
      {...state}
      status={status}
      style={{ width: '100%' }}
      maxLength={field.maxLength}
      value={value ?? ''}
      options={data.map(({ name, title }) => ({ value: name, label: `${name}（${t(title)}）` }))}
      onChange={next => onChange(next || undefined)}
    />
  )
}
