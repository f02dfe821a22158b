import type { FieldProps, FieldTemplateProps, ObjectFieldTemplateProps } from '@rjsf/utils'
import { Alert, Button, Col, Form, Row, Typography } from 'antd'
import { createContext, Fragment, memo, type ReactNode, useContext, useRef, useState } from 'react'
import type { FormGroup, Resource } from '#engine'
import { serverNow, timeOf } from '../platform/http/browser/clock.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { FieldInput, narrowerOf } from './fields/inputs.tsx'
import type { WireRow } from './fields/props.ts'
import { weekdayTime } from './fields/weekday-time.ts'
import type { FormRows } from './form-rows.ts'
import { fieldAt, inputsOf, isShown, type Values, visibleFields } from './form-values.ts'

/** What every part of a form knows. It goes by React's own context: the form library compares its context too loosely. */
export interface FormKnowledge {
  /** What the ids of this form begin with: forms behind other tabs stay in the document. */
  readonly prefix: string
  readonly resource: Resource
  /** The row being edited, or null for a new one. */
  readonly row: WireRow | null
  /** What the form holds now. */
  readonly values: Values
  /** Inputs a person has left; only their errors are shown before the first submit. */
  readonly left: Readonly<Record<string, true>>
  readonly submitted: boolean
  /** What is wrong with each input now: by the rules, or by what the server said. */
  readonly problems: Readonly<Record<string, string>>
  readonly leave: (name: string) => void
  /** Rows of other resources that the form holds beside its own. */
  readonly rows: readonly FormRows[]
  /** Values that are suggested for inputs, on the wire. */
  readonly suggested: Readonly<Record<string, string>>
  /** Enters what is suggested for inputs. */
  readonly take: (names: readonly string[]) => void
}

const Knowledge = createContext<FormKnowledge | null>(null)

/** Tells the parts of a form what they know. */
export const FormKnowledgeProvider = Knowledge.Provider

/** What a part of a form knows. */
export function useKnowledge(): FormKnowledge {
  const known = useContext(Knowledge)
  if (!known) throw new Error('A part of a form stands outside a form')
  return known
}

const LONG = ['longText', 'richText', 'json']
const FULL = 24
const HALF = 12

/** Id of the heading of a group, to jump to. */
export const groupId = (prefix: string, at: number): string => `${prefix}-group-${at}`

/** What is wrong with an input, once that is to be seen. */
export const shownProblem = (name: string, { submitted, left, problems }: FormKnowledge): string | undefined =>
  submitted || left[name] ? problems[name] : undefined

/** Id of the text under an input that says what is wrong. */
export const messageId = (id: string): string => `${id}__message`

/** What stands inside a frame. It goes by context, so that a frame is drawn again only when it has changed itself. */
const Content = createContext<ReactNode>(null)
const Inner = (): ReactNode => useContext(Content)

const Look = memo(function Look() {
  return (
    <Form component={false} layout="vertical" requiredMark>
      <Inner />
    </Form>
  )
})

/** How the items of a form are laid out. The library's own part draws all of them again whenever it is drawn. */
export const FormLook = ({ children }: { children: ReactNode }): ReactNode => (
  <Content value={children}>
    <Look />
  </Content>
)

interface ItemProps {
  id: string
  label: string
  required: boolean
  wrong: string | undefined
  note: string | undefined
  suggested: string | undefined
  name: string
  take: FormKnowledge['take']
}

const Item = memo(function Item({ id, label, required, wrong, note, suggested, name, take }: ItemProps) {
  const t = useT()
  const suggestion = suggested && (
    <span className="form-suggestion">
      {t('建议 {{time}}', { time: weekdayTime(suggested) })}
      <Button type="link" size="small" aria-describedby={id} onClick={() => take([name])}>
        {t('采用')}
      </Button>
    </span>
  )
  const message = wrong && (
    <span id={messageId(id)} role="alert">
      {wrong}
    </span>
  )
  return (
    <Form.Item
      label={t(label)}
      htmlFor={id}
      required={required}
      validateStatus={wrong ? 'error' : undefined}
      help={message}
      extra={
        suggestion || note ? (
          <>
            {suggestion}
            {note && t(note)}
          </>
        ) : undefined
      }
    >
      <Inner />
    </Form.Item>
  )
})

const Cell = memo(function Cell({ span }: { span: number }) {
  return (
    <Col xs={FULL} md={span}>
      <Inner />
    </Col>
  )
})

/** Label, input and what is wrong with it. */
export function InputFrame({ id, label, required, rawDescription, schema, children }: FieldTemplateProps) {
  const known = useKnowledge()
  if (id === known.prefix) return <>{children}</>
  const name = id.slice(known.prefix.length + 1)
  if (known.rows.some(one => one.child.resource === name)) return <>{children}</>
  const isAsked = required || known.resource.entity.requiredWhen[name] !== undefined
  // A switch always has a value.
  const isNeeded = isAsked && (schema as { kind?: string }).kind !== 'flag'
  const wrong = shownProblem(name, known)
  return (
    <Content value={children}>
      <Item
        id={id}
        name={name}
        label={label}
        required={isNeeded}
        wrong={wrong}
        note={rawDescription}
        suggested={known.suggested[name]}
        take={known.take}
      />
    </Content>
  )
}

const KeptInput = memo(FieldInput)

/** Draws the input that the kind, or the definition's `as`, asks for. */
export function KindField(props: FieldProps) {
  const { name, formData, fieldPathId, disabled } = props
  const known = useKnowledge()
  const { resource, row, values } = known
  const now = useRef({ props, known })
  now.current = { props, known }
  // The same for good, so that an input is drawn again only when what it shows has changed.
  const [calls] = useState(() => ({
    onChange: (value: unknown): void => now.current.props.onChange(value, now.current.props.fieldPathId.path),
    onBlur: (): void => {
      now.current.known.leave(name)
      now.current.props.onBlur(now.current.props.fieldPathId.$id, now.current.props.formData)
    },
  }))
  const id = fieldPathId.$id
  const field = fieldAt(resource, name)
  const input = inputsOf(resource).find(one => one.field === name)
  const narrower = narrowerOf(field, input?.as)
  const invalid = shownProblem(name, known) !== undefined
  const fixed = input?.readonly === true || (input?.readonly === 'edit' && row !== null)
  return (
    <KeptInput
      {...calls}
      id={id}
      name={name}
      field={field}
      as={input?.as}
      entity={resource.entity.name}
      value={formData}
      row={row ?? undefined}
      beside={narrower && values[narrower]}
      disabled={disabled || fixed}
      invalid={invalid}
      describedBy={invalid ? messageId(id) : undefined}
    />
  )
}

function spanOf(resource: Resource, name: string, given: number | undefined): number {
  return given ?? (LONG.includes(fieldAt(resource, name).kind) ? FULL : HALF)
}

/** Whether a group waits for its time: that has not come, nothing is wrong in it, and nobody has opened it. */
function isLater({ later, inputs }: FormGroup, known: FormKnowledge): boolean {
  if (later === undefined) return false
  const time = String(known.values[later] ?? known.row?.[later] ?? '')
  const isWrong = inputs.some(({ field }) => shownProblem(field, known) !== undefined)
  return !isWrong && !(time && timeOf(time) <= serverNow())
}

interface LaterProps {
  /** Title of the time that it waits for; null where it waits for the row to be saved. */
  since: string | null
  onOpen: () => void
}

/** A group that waits for its time, with the way to open it all the same. */
function Later({ since, onOpen }: LaterProps): ReactNode {
  const t = useT()
  return (
    <p className="form-later">
      {since === null ? t('保存后再填') : t('「{{time}}」之后再填', { time: t(since) })}
      <Button type="link" size="small" onClick={onOpen}>
        {t('现在填写')}
      </Button>
    </p>
  )
}

/** Inputs for which something is suggested, with the way to take it all at once. */
function Suggestions(): ReactNode {
  const t = useT()
  const { suggested, take, resource, values } = useKnowledge()
  const names = [...visibleFields(resource, values)].filter(name => suggested[name])
  if (names.length < 2) return null
  return (
    <Alert
      type="info"
      showIcon
      title={t('有 {{n}} 项时间的建议', { n: names.length })}
      action={
        <Button size="small" onClick={() => take(names)}>
          {t('全部采用')}
        </Button>
      }
    />
  )
}

/** The inputs in their groups, on a grid that is one column on a phone. */
export function Groups({ properties, formData }: ObjectFieldTemplateProps) {
  const t = useT()
  const known = useKnowledge()
  const { resource, prefix, rows } = known
  const [opened, setOpened] = useState<readonly string[]>([])
  const content = new Map(properties.map(property => [property.name, property.content]))
  const shown = resource.form.map(({ inputs }) => inputs.filter(input => isShown(input, (formData ?? {}) as Values)))
  const groups = resource.form.map((group, at) => (
    <section
      key={group.title || at}
      id={groupId(prefix, at)}
      aria-label={group.title ? t(group.title) : undefined}
      hidden={!shown[at]?.length}
    >
      {group.title && (
        <Typography.Title level={5} style={{ marginTop: at ? 16 : 0 }}>
          {t(group.title)}
        </Typography.Title>
      )}
      {isLater(group, known) && !opened.includes(group.title) ? (
        <Later
          since={group.later === 'createTime' ? null : fieldAt(resource, group.later ?? '').title}
          onOpen={() => setOpened(current => [...current, group.title])}
        />
      ) : (
        <Row gutter={16}>
          {shown[at]?.map(input => (
            <Content key={input.field} value={content.get(input.field)}>
              <Cell span={spanOf(resource, input.field, input.span)} />
            </Content>
          ))}
        </Row>
      )}
    </section>
  ))
  return (
    <>
      <Suggestions />
      {groups}
      {rows.map(({ child }) => (
        <Fragment key={child.resource}>{content.get(child.resource)}</Fragment>
      ))}
    </>
  )
}
