import { AutoComplete, InputNumber, Select, Switch, Typography } from 'antd'
import { isSwitch, type Parameter } from '#engine'
import { parameterOf } from '#schemas/parameters'
import { useT } from '../../platform/i18n/i18n.ts'
import { type InputProps, inputState } from './props.ts'
import { LongTextInput, TextInput } from './TextInputs.tsx'

type Props = InputProps<string>

const optionsOf = ({ choices = {} }: Parameter, t: (text: string) => string) =>
  Object.entries(choices).map(([value, word]) => ({ value, label: t(word) }))

/** A number, with what it counts behind it. */
function NumberParameter({ parameter, ...props }: Props & { parameter: Parameter }) {
  const t = useT()
  const { minimum, maximum } = parameter.field
  return (
    <InputNumber
      {...inputState(props)}
      style={{ width: '100%' }}
      precision={0}
      min={minimum === undefined ? undefined : String(minimum)}
      max={maximum === undefined ? undefined : String(maximum)}
      stringMode
      suffix={parameter.unit && t(parameter.unit)}
      value={props.value}
      onChange={value => props.onChange(value === null ? undefined : String(value))}
    />
  )
}

/** A switch, one of some words, or one of them and anything else. */
function ChoiceParameter({ parameter, ...props }: Props & { parameter: Parameter }) {
  const t = useT()
  const { status, ...state } = inputState(props)
  const options = optionsOf(parameter, t)
  if (isSwitch(parameter))
    return (
      <Switch
        id={props.id}
        disabled={props.disabled}
        checked={props.value === 'true'}
        onChange={isOn => props.onChange(String(isOn))}
      />
    )
  if (!parameter.open)
    return <Select {...state} status={status} options={options} value={props.value} onChange={props.onChange} />
  return (
    <AutoComplete
      {...state}
      status={status}
      options={options.map(({ value, label }) => ({ value, label: `${label} (${value})` }))}
      value={props.value}
      onChange={value => props.onChange(value || undefined)}
    />
  )
}

function Chosen({ parameter, ...props }: Props & { parameter: Parameter }) {
  if (parameter.choices) return <ChoiceParameter {...props} parameter={parameter} />
  if (parameter.field.kind === 'integer') return <NumberParameter {...props} parameter={parameter} />
  return <TextInput {...props} field={{ ...parameter.field, title: props.field.title }} />
}

/** The value of a system parameter, entered as its definition says; one of an installation's own is free text. */
export function ParameterInput(props: Props) {
  const t = useT()
  const parameter = parameterOf(String(props.beside ?? ''))
  if (!parameter) return <LongTextInput {...props} />
  const help = [parameter.field.help, parameter.platform ? '只有平台租户的值有效' : undefined]
  return (
    <>
      <Chosen {...props} parameter={parameter} />
      <Typography.Text type="secondary">{help.flatMap(one => (one ? t(one) : [])).join('；')}</Typography.Text>
    </>
  )
}
