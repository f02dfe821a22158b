import { type ComponentType, lazy, Suspense } from 'react'
import type { Field, InputName, Kind } from '#engine'
import type { Owner } from '../../platform/files/browser/send-file.ts'
import { HardRulesInput, TicketPicsInput } from './ChecksInput.tsx'
import { DateInput, DateTimeInput } from './DateInputs.tsx'
import { DictChoice } from './DictChoice.tsx'
import { DictSelect } from './DictSelect.tsx'
import { ExpenseItemsInput } from './ExpenseItems.tsx'
import { JobProcessorInput } from './JobProcessorInput.tsx'
import { JobTimingInput } from './JobTimingInput.tsx'
import { JobWorkersInput } from './JobWorkersInput.tsx'
import { NodesBeforeInput } from './NodesBeforeInput.tsx'
import { ParameterInput } from './ParameterInput.tsx'
import { PatternInput } from './PatternInput.tsx'
import { type InputProps, type InputState, inputState, isEmpty } from './props.ts'
import { RefSelect } from './RefSelect.tsx'
import { RegionCascader } from './RegionCascader.tsx'
import { RichTextInput } from './RichTextInput.tsx'
import {
  DecimalInput,
  FlagInput,
  IntegerInput,
  JsonInput,
  LongTextInput,
  MoneyInput,
  SecretInput,
  TextInput,
} from './TextInputs.tsx'
import { TimeSpanInput } from './TimeSpanInput.tsx'
import { UploadField } from './UploadField.tsx'

type Input = ComponentType<InputProps<never>>

const chosen = (props: InputState) => {
  const { id, disabled, status, onBlur } = inputState(props)
  return { id, disabled, status, onBlur }
}

/** A unit or a type of post has many keys that grow; a system dictionary has the few of its definition. */
const DictInput = (props: InputProps<string | number>) => (
  <DictChoice
    {...chosen(props)}
    code={props.field.dict ?? ''}
    value={props.value}
    onChange={props.onChange}
    many={props.field.enum === undefined}
  />
)

const DictsInput = (props: InputProps<string>) => (
  <DictSelect
    {...chosen(props)}
    code={props.field.dict ?? ''}
    value={props.value}
    onChange={next => props.onChange(next as string | undefined)}
    multiple
  />
)

// Without the exam there are the stages of every exam; whoever picks one is told which it must be.
const narrowed = (by: string | undefined, beside: unknown) => by && !isEmpty(beside) && { params: { [by]: beside } }

const refInput = (multiple: boolean) => (props: InputProps<string>) => (
  <RefSelect
    {...chosen(props)}
    entity={props.field.ref ?? ''}
    value={props.value}
    onChange={props.onChange}
    label={labelOf(props)}
    multiple={multiple}
    {...narrowed(props.field.within, props.beside)}
  />
)

/** The name in the row belongs to the value the row came with, not to one chosen since. */
function labelOf({ row, name, value }: InputProps<string>): string | undefined {
  return row && row[name] === value ? (row[`${name}Name`] as string | undefined) : undefined
}

const RegionInput = (props: InputProps<string>) => (
  <RegionCascader {...chosen(props)} value={props.value} onChange={props.onChange} label={labelOf(props)} />
)

/** Whose an upload is, by the entity or the field that holds it. Everything else is a plain file. */
const owners: Readonly<Record<string, Owner>> = {
  avatar: 'avatar',
  cardFront: 'card',
  cardBack: 'card',
  notice: 'notice',
  noticefile: 'notice',
  news: 'news',
  invoiceFile: 'invoice',
  exemptFile: 'voucher',
  voucher: 'voucher',
  expense: 'flow',
}

const uploadInput = (kind: 'image' | 'file') => (props: InputProps<string>) => (
  <UploadField
    id={props.id}
    kind={kind}
    owner={owners[props.name] ?? owners[props.entity ?? ''] ?? 'files'}
    value={props.value}
    onChange={props.onChange}
    disabled={props.disabled}
    onBlur={props.onBlur}
    {...(props.name === 'avatar' && { maxKb: 500 })}
  />
)

/** How each kind of field is entered. */
export const inputs: Readonly<Record<Kind, Input>> = {
  text: TextInput,
  longText: LongTextInput,
  richText: RichTextInput,
  integer: IntegerInput,
  decimal: DecimalInput,
  money: MoneyInput,
  flag: FlagInput,
  date: DateInput,
  dateTime: DateTimeInput,
  dict: DictInput,
  dicts: DictsInput,
  state: DictInput,
  ref: refInput(false),
  refs: refInput(true),
  region: RegionInput,
  image: uploadInput('image'),
  file: uploadInput('file'),
  json: JsonInput,
  sealed: TextInput,
  secret: SecretInput,
}

const EXAM = 'examId'

/** Stages of the exam that the form names. */
const StagesInput = (props: InputProps<string>) => (
  <RefSelect
    {...chosen(props)}
    entity="examinationitem"
    value={props.value}
    onChange={props.onChange}
    multiple
    {...narrowed(EXAM, props.beside)}
  />
)

/** Jobs that can be nodes of a workflow; the server's own work is none. */
const NodeJobInput = (props: InputProps<string>) => (
  <div style={{ minWidth: 170 }}>
    <RefSelect
      {...chosen(props)}
      entity="job-info"
      value={props.value}
      onChange={props.onChange}
      label={labelOf(props)}
      params={{ builtin: 0 }}
    />
  </div>
)

/** Whom a notice is for. Only a sending is for people by name (6). */
const AudienceInput = (props: InputProps<number>) => (
  <DictChoice
    {...chosen(props)}
    code="notice_scope"
    value={props.value}
    onChange={next => props.onChange(next as number | undefined)}
    without={['6']}
  />
)

const LazyEvents = lazy(() => import('./EventsInput.tsx'))

/** Events of other systems; few forms have them. */
const EventsInput = (props: InputProps<string>) => (
  <Suspense fallback={null}>
    <LazyEvents {...props} />
  </Suspense>
)

/** Inputs a definition asks for by name (`as`). */
const namedInputs: Readonly<Record<InputName, Input>> = {
  stages: StagesInput,
  audience: AudienceInput,
  hardRules: HardRulesInput,
  ticketPics: TicketPicsInput,
  timeSpan: TimeSpanInput,
  pattern: PatternInput,
  parameter: ParameterInput,
  jobTiming: JobTimingInput,
  expenseItems: ExpenseItemsInput,
  jobProcessor: JobProcessorInput,
  jobWorkers: JobWorkersInput,
  nodesBefore: NodesBeforeInput,
  nodeJob: NodeJobInput,
  events: EventsInput,
}

/** Inputs that depend on another field of their form: name of the input → name of the field. */
const narrowers: Readonly<Partial<Record<InputName, string>>> = {
  stages: EXAM,
  parameter: 'paramKey',
  jobTiming: 'timeExpressionType',
  jobProcessor: 'jobServerId',
  jobWorkers: 'jobServerId',
}

/** Name of the field of the same form that narrows what can be chosen in an input. */
export const narrowerOf = (field: Field, as: InputName | undefined): string | undefined =>
  (as && narrowers[as]) || field.within

/** One field as people enter it: by the name the definition gives, else by its kind. */
export function FieldInput({ as, ...props }: InputProps & { as?: InputName }) {
  const Chosen = ((as && namedInputs[as]) || inputs[props.field.kind]) as ComponentType<InputProps>
  return <Chosen {...props} />
}
