import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import { braced } from '../braced.ts'
import type { Shape } from '../editor.ts'
import { type Parameter, parametersOf, setParameters } from '../extensions.ts'
import { nextName } from '../next-name.ts'
import { nameProblem } from './AssigneeRows.tsx'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, TextRow } from './rows.tsx'

type Way = 'action' | 'http'

const ways = { action: '执行动作', http: '调用外部接口（HTTP）' } as const satisfies Record<Way, string>

/** Parameters of a call to another server, with their labels. */
const httpFields = {
  requestMethod: '请求方法',
  requestUrl: '请求地址',
  requestHeaders: '请求头（每行一个）',
  requestBody: '请求内容',
  requestTimeout: '超时（毫秒）',
  responseVariableName: '存放响应的变量',
  saveResponseVariableAsJson: '响应按 JSON 解析（true/false）',
  failStatusCodes: '视为失败的状态码',
} as const

const named = /^[$#]\{\s*([A-Za-z_]\w*)(?:\.run\(execution\))?\s*\}$/

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
  const editor = useEditor()
  const all = parametersOf(of.businessObject)
  const set = (name: string, value: string): void => {
    const others = all.filter(one => one.name !== name)
    setParameters(editor, of, value ? [...others, { name, value }] : others)
  }
  return Object.entries(httpFields).map(([name, label]) => (
    <TextRow
      key={name}
      label={label}
      value={all.find(one => one.name === name)?.value ?? ''}
      multiline={name === 'requestHeaders' || name === 'requestBody'}
      maxLength={2000}
      onChange={value => set(name, value)}
    />
  ))
}

function ActionRows({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  const part = of.businessObject
  const written = part.get<string>('flowable:delegateExpression') ?? part.get<string>('flowable:expression') ?? ''
  return (
    <>
      <TextRow
        label="动作"
        value={named.exec(written)?.[1] ?? written}
        check={nameProblem}
        maxLength={64}
        onChange={name =>
          editor.set(of, {
            'flowable:delegateExpression': name ? braced(name) : undefined,
            'flowable:expression': undefined,
          })
        }
      />
      <ParameterRows all={parametersOf(part)} onChange={next => setParameters(editor, of, next)} />
      <TextRow
        label="存放结果的变量"
        value={part.get<string>('flowable:resultVariable') ?? ''}
        check={nameProblem}
        maxLength={64}
        onChange={name => editor.set(of, { 'flowable:resultVariable': name || undefined })}
      />
    </>
  )
}

interface ParametersProps {
  all: readonly Parameter[]
  onChange: (all: readonly Parameter[]) => void
}

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
