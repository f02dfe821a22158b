import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import { httpMethods } from '../../../rules/http-fields.ts'
import { braced } from '../braced.ts'
import type { Shape } from '../editor.ts'
import { type Parameter, parametersOf, setParameters } from '../extensions.ts'
import { nextName } from '../next-name.ts'
import { listed } from '../people.ts'
import { nameProblem } from './AssigneeRows.tsx'
import { type Choices, useChoices } from './choices.ts'
import { PeopleRow } from './GroupSelects.tsx'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, KnownRow, TextRow } from './rows.tsx'

type Way = 'action' | 'http'

const ways = { action: '执行动作', http: '调用外部接口（HTTP）' } as const satisfies Record<Way, string>

/** Parameters of a call to another server that are texts, with their labels. */
const httpTexts = {
  requestUrl: '请求地址',
  requestHeaders: '请求头（每行一个）',
  requestBody: '请求内容',
  requestTimeout: '超时（毫秒）',
  responseVariableName: '存放响应的变量',
  failStatusCodes: '视为失败的状态码',
  handleStatusCodes: '直接按出错处理的状态码',
} as const
/** Those that are said or not. */
const httpFlags = {
  saveResponseVariableAsJson: '响应按 JSON 解析',
  ignoreException: '失败后继续',
} as const
const yesNo = { true: '是', false: '否' } as const

const named = /^[$#]\{\s*([A-Za-z_]\w*)(?:\.run\(execution\))?\s*\}$/

/** Values by their names, and a way to change one; an empty one is taken away. */
function useParameters(of: Shape) {
  const editor = useEditor()
  const all = parametersOf(of.businessObject)
  return {
    all,
    textOf: (name: string): string => all.find(one => one.name === name)?.value ?? '',
    set: (name: string, value: string): void => {
      const isThere = all.some(one => one.name === name)
      const next = isThere
        ? all.flatMap(one => (one.name !== name ? one : value ? { name, value } : []))
        : [...all, ...(value ? [{ name, value }] : [])]
      setParameters(editor, of, next)
    },
  }
}

/** What a service task does. */
export function ServiceRows({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  const part = of.businessObject
  const isHttp = part.get<string>('flowable:type') === 'http'
  const [begun, begin] = useState<Way>()
  const way: Way = begun ?? (isHttp ? 'http' : 'action')
  const turn = (next: Way): void => {
    begin(next)
    editor.set(of, {
      'flowable:type': next === 'http' ? 'http' : undefined,
      'flowable:delegateExpression': undefined,
      'flowable:expression': undefined,
    })
    setParameters(editor, of, next === 'http' ? [{ name: 'requestMethod', value: 'POST' }] : [])
  }
  return (
    <>
      <ChoiceRow label="做什么" value={way} options={ways} onChange={turn} />
      {way === 'http' ? <HttpRows of={of} /> : <ActionRows of={of} />}
    </>
  )
}

function HttpRows({ of }: { of: Shape }): ReactNode {
  const { textOf, set } = useParameters(of)
  return (
    <>
      <KnownRow
        label="请求方法"
        required
        value={textOf('requestMethod')}
        options={httpMethods.map(value => ({ value, label: value }))}
        unknown="不能用请求方法{{name}}"
        onChange={value => set('requestMethod', value)}
      />
      {Object.entries(httpTexts).map(([name, label]) => (
        <TextRow
          key={name}
          label={label}
          required={name === 'requestUrl'}
          value={textOf(name)}
          multiline={name === 'requestHeaders' || name === 'requestBody'}
          maxLength={2000}
          help={name === 'requestUrl' ? '主机须在参数 flow.hosts 中；可以用 ${变量}' : undefined}
          check={name === 'responseVariableName' ? nameProblem : undefined}
          onChange={value => set(name, value)}
        />
      ))}
      {Object.entries(httpFlags).map(([name, label]) => (
        <ChoiceRow
          key={name}
          label={label}
          value={textOf(name) === 'true' ? 'true' : 'false'}
          options={yesNo}
          onChange={value => set(name, value === 'true' ? value : '')}
        />
      ))}
    </>
  )
}

type Action = Choices['actions'][number]

function ActionRows({ of }: { of: Shape }): ReactNode {
  const t = useT()
  const editor = useEditor()
  const choices = useChoices()
  const part = of.businessObject
  const written = part.get<string>('flowable:delegateExpression') ?? part.get<string>('flowable:expression') ?? ''
  const name = named.exec(written)?.[1] ?? written
  const { all } = useParameters(of)
  const known = choices?.actions.find(one => one.name === name)
  const choose = (next: string): void => {
    editor.set(of, {
      'flowable:delegateExpression': next ? braced(next) : undefined,
      'flowable:expression': undefined,
    })
    // What another action was told means nothing to this one.
    const own = choices?.actions.find(one => one.name === next)
    const kept = own ? all.filter(one => own.fields.some(field => field.name === one.name)) : all
    if (kept.length < all.length) setParameters(editor, of, kept)
  }
  return (
    <>
      <KnownRow
        label="动作"
        required
        value={name}
        options={choices?.actions.map(one => ({ value: one.name, label: t(one.title) }))}
        unknown="没有登记名为{{name}}的动作，部署时会被拒绝"
        onChange={choose}
      />
      {known && <KnownParameters of={of} action={known} />}
      {!known && (all.length > 0 || (choices && name)) && (
        <ParameterRows all={all} onChange={next => setParameters(editor, of, next)} />
      )}
      <TextRow
        label="存放结果的变量"
        value={part.get<string>('flowable:resultVariable') ?? ''}
        check={nameProblem}
        maxLength={64}
        onChange={variable => editor.set(of, { 'flowable:resultVariable': variable || undefined })}
      />
    </>
  )
}

/** The parameters of an action, and others that stand in the drawing. */
function KnownParameters({ of, action }: { of: Shape; action: Action }): ReactNode {
  const t = useT()
  const { all, textOf, set } = useParameters(of)
  const others = all.filter(one => !action.fields.some(field => field.name === one.name))
  return (
    <>
      {action.fields.map(field => {
        const row = {
          label: field.title,
          required: field.required,
          value: textOf(field.name),
          onChange: (value: string) => set(field.name, value),
        }
        return field.isPeople ? (
          <PeopleOrText key={field.name} {...row} />
        ) : (
          <TextRow key={field.name} {...row} multiline maxLength={2000} help="可以用 ${变量}" />
        )
      })}
      {others.map(({ name, value }) => (
        <Space key={name} align="start" className="modeler-pair">
          <KnownRow
            label="参数"
            value={name}
            options={[]}
            unknown="这个动作没有参数{{name}}，部署时会被拒绝"
            help={value}
            onChange={() => set(name, '')}
          />
          <Button icon={<DeleteOutlined aria-hidden />} aria-label={t('删除参数')} onClick={() => set(name, '')} />
        </Space>
      ))}
    </>
  )
}

type PeopleWay = 'users' | 'text'
const peopleWays = { users: '选定的人员', text: '账号或表达式' } as const satisfies Record<PeopleWay, string>

interface PeopleOrTextProps {
  label: string
  required: boolean
  value: string
  onChange: (value: string) => void
}

/** People who are chosen, or whom an expression names when the step is reached. */
function PeopleOrText({ label, required, value, onChange }: PeopleOrTextProps): ReactNode {
  const areIds = listed(value).every(one => /^\d+$/.test(one))
  const [begun, begin] = useState<PeopleWay>()
  const way = begun ?? (areIds ? 'users' : 'text')
  const turn = (next: PeopleWay): void => {
    begin(next)
    if (value) onChange('')
  }
  return (
    <>
      <ChoiceRow label={label} required={required} value={way} options={peopleWays} onChange={turn} />
      {way === 'users' ? (
        <PeopleRow label="人员" value={value} onChange={next => onChange(listed(next).join(','))} />
      ) : (
        <TextRow label="账号或表达式" value={value} placeholder="${initiator}" maxLength={500} onChange={onChange} />
      )}
    </>
  )
}

interface ParametersProps {
  all: readonly Parameter[]
  onChange: (all: readonly Parameter[]) => void
}

/** Parameters of an action that is not known. */
function ParameterRows({ all, onChange }: ParametersProps): ReactNode {
  const t = useT()
  const change = (at: number, next: Partial<Parameter>): void =>
    onChange(all.map((one, place) => (place === at ? { ...one, ...next } : one)))
  const problemOf = (own: Parameter) => (name: string) =>
    name === '' || all.some(one => one !== own && one.name === name) ? '参数名不能为空，也不能重复' : nameProblem(name)
  return (
    <>
      {all.map((one, at) => (
        <Space key={one.name} align="end" className="modeler-pair">
          <TextRow label="参数" value={one.name} check={problemOf(one)} onChange={name => change(at, { name })} />
          <TextRow label="值" value={one.value} maxLength={2000} onChange={value => change(at, { value })} />
          <Button
            icon={<DeleteOutlined aria-hidden />}
            aria-label={t('删除参数')}
            onClick={() => onChange(all.filter(other => other !== one))}
          />
        </Space>
      ))}
      <Button
        block
        type="dashed"
        icon={<PlusOutlined aria-hidden />}
        className="modeler-add"
        onClick={() =>
          onChange([
            ...all,
            {
              name: nextName(
                all.map(one => one.name),
                'parameter',
              ),
              value: '',
            },
          ])
        }
      >
        {t('添加参数')}
      </Button>
    </>
  )
}
