import { Select, Space } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import { type Condition, readCondition, signs, writeCondition } from '../condition.ts'
import type { Shape } from '../editor.ts'
import { nameProblem } from './AssigneeRows.tsx'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, Row, TextRow } from './rows.tsx'

type Way = 'always' | 'default' | 'agreed' | 'refused' | 'compare' | 'empty' | 'filled' | 'text'

const ways = {
  always: '没有条件',
  default: '默认分支：其他分支都不走时',
  agreed: '上一步同意',
  refused: '上一步不同意',
  compare: '变量与值比较',
  empty: '变量为空',
  filled: '变量不为空',
  text: '表达式',
} as const satisfies Record<Way, string>

function wayOf(condition: Condition): Way {
  if (condition.by === 'pass') return condition.pass ? 'agreed' : 'refused'
  if (condition.by === 'empty') return condition.isEmpty ? 'empty' : 'filled'
  return condition.by
}

/** The variable of a condition, where it has one that can go on in another. */
const variableOf = (condition: Condition): string =>
  condition.by === 'compare' || condition.by === 'empty' ? condition.variable : ''

/** Nothing yet where a condition is not whole: such a one cannot stand in the model. */
function begunAs(way: Way, before: Condition): Condition {
  const variable = variableOf(before)
  if (way === 'agreed' || way === 'refused') return { by: 'pass', pass: way === 'agreed' }
  if (way === 'empty' || way === 'filled') return { by: 'empty', variable, isEmpty: way === 'empty' }
  if (way === 'compare') return { by: 'compare', variable, sign: '==', value: '' }
  if (way === 'text') return { by: 'text', text: writeCondition(before) ?? '' }
  return { by: 'always' }
}

const isWhole = (condition: Condition): boolean =>
  !(condition.by === 'compare' || condition.by === 'empty') ||
  (condition.variable !== '' && (condition.by === 'empty' || condition.value !== ''))

/** Types whose ways out may have conditions. */
const choosing = new Set(['bpmn:ExclusiveGateway', 'bpmn:InclusiveGateway', 'bpmn:UserTask', 'bpmn:ServiceTask'])

/** True for a line that is not always taken. */
export const mayHaveCondition = ({ source }: Shape): boolean =>
  Boolean(source && choosing.has(source.type) && (/Gateway$/.test(source.type) || source.outgoing.length > 1))

/** When a line is taken. */
export function ConditionRows({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  const t = useT()
  const { source } = of
  const part = of.businessObject
  const body = part.get<typeof part>('conditionExpression')?.get<string>('body')
  const [begun, begin] = useState<Condition>()
  const condition = begun ?? readCondition(body)
  const isDefault = source?.businessObject.get('default') === part
  const write = (next: Condition): void => {
    begin(isWhole(next) && next.by !== 'text' ? undefined : next)
    if (!isWhole(next)) return
    const text = writeCondition(next)
    const made = text ? editor.make('bpmn:FormalExpression', { body: text }, part) : undefined
    editor.set(of, { conditionExpression: made })
  }
  const turn = (way: Way): void => {
    if (isDefault !== (way === 'default') && source)
      editor.set(source, { default: way === 'default' ? part : undefined })
    const next = begunAs(way, condition)
    if (isWhole(next)) write(next)
    else begin(next)
  }
  const way = isDefault ? 'default' : wayOf(condition)
  return (
    <>
      <ChoiceRow label="什么时候走这条线" value={way} options={ways} onChange={turn} />
      {!isDefault && (condition.by === 'compare' || condition.by === 'empty') && (
        <TextRow
          label="变量名"
          value={condition.variable}
          check={nameProblem}
          maxLength={64}
          onChange={variable => write({ ...condition, variable })}
        />
      )}
      {!isDefault && condition.by === 'compare' && (
        <Space align="start" className="modeler-pair">
          <Row label="比较">
            {id => (
              <Select
                id={id}
                value={condition.sign}
                options={signs.map(sign => ({ value: sign, label: t(signNames[sign]) }))}
                onChange={sign => write({ ...condition, sign })}
              />
            )}
          </Row>
          <TextRow label="值" value={condition.value} onChange={value => write({ ...condition, value })} />
        </Space>
      )}
      {!isDefault && condition.by === 'text' && (
        <TextRow
          label="表达式"
          value={condition.text}
          multiline
          maxLength={500}
          placeholder="${amount >= 5000 && pass}"
          onChange={text => write({ by: 'text', text })}
        />
      )}
    </>
  )
}

const signNames = {
  '==': '等于',
  '!=': '不等于',
  '>': '大于',
  '>=': '大于或等于',
  '<': '小于',
  '<=': '小于或等于',
} as const
