import { type ReactNode, useState } from 'react'
import { FlowState } from '#schemas/dictionaries/platform'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import type { Shape } from '../editor.ts'
import { extensionsOf, setExtensions } from '../extensions.ts'
import { listed } from '../people.ts'
import { useChoices } from './choices.ts'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, KnownRow, TextRow } from './rows.tsx'

const inherits = { true: '全部变量', false: '只交接下面列出的变量' } as const

const isExpression = (text: string): boolean => /[$#]\{/.test(text)

const pairs = /^\s*([A-Za-z_]\w{0,63})\s*(?:[=:]\s*([A-Za-z_]\w{0,63})\s*)?$/

/** What is wrong with a list of variables to hand over, in Chinese. */
const pairsProblem = (text: string): string | undefined =>
  listed(text).every(one => pairs.test(one)) ? undefined : '写成 目标=来源，用逗号分隔'

type Way = 'key' | 'text'
const ways = { key: '已部署的流程', text: '表达式' } as const satisfies Record<Way, string>

/** Which process is called: a deployed one, or one that an expression names. */
function CalledRows({ of }: { of: Shape }): ReactNode {
  const t = useT()
  const editor = useEditor()
  const choices = useChoices()
  const written = of.businessObject.get<string>('calledElement') ?? ''
  const [begun, begin] = useState<Way>()
  const way = begun ?? (isExpression(written) ? 'text' : 'key')
  const set = (next: string): void => editor.set(of, { calledElement: next || undefined })
  const turn = (next: Way): void => {
    begin(next)
    if (written) set('')
  }
  const options = choices?.processes.map(({ modelKey, name, suspensionState }) => ({
    value: modelKey,
    label: `${t(name)} · ${modelKey}${suspensionState === FlowState.suspended ? t('（已挂起）') : ''}`,
  }))
  return (
    <>
      <ChoiceRow label="调用" value={way} options={ways} onChange={turn} />
      {way === 'key' ? (
        <KnownRow
          label="被调用的流程"
          value={written}
          options={options}
          unknown="没有部署标识为{{name}}的流程"
          help="办理到这里时发起它的最新版本"
          onChange={set}
        />
      ) : (
        <TextRow label="表达式" value={written} placeholder="${ }" maxLength={200} onChange={set} />
      )}
    </>
  )
}

/** Which process is called and which values go there and back. */
export function CallRows({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  const part = of.businessObject
  const handed = (type: string) => ({
    value: extensionsOf(part, type)
      .flatMap(one => {
        const [target = '', source = ''] = [one.get<string>('target'), one.get<string>('source')]
        return target && source ? (target === source ? target : `${target}=${source}`) : []
      })
      .join(', '),
    onChange: (text: string) => {
      // Expressions and business keys, which a short list cannot say, stay.
      const others = extensionsOf(part, type).filter(one => !one.get('source'))
      const made = listed(text).map(one => {
        const [, target = '', source = target] = pairs.exec(one) ?? []
        return editor.make(type, { source, target })
      })
      setExtensions(editor, of, { type, parts: [...others, ...made] })
    },
  })
  return (
    <>
      <CalledRows of={of} />
      <ChoiceRow
        label="交接的变量"
        value={part.get<string>('flowable:inheritVariables') === 'true' ? 'true' : 'false'}
        options={inherits}
        onChange={next => editor.set(of, { 'flowable:inheritVariables': next === 'true' ? next : undefined })}
      />
      <TextRow label="传入" check={pairsProblem} {...handed('flowable:In')} />
      <TextRow label="传出" check={pairsProblem} {...handed('flowable:Out')} />
    </>
  )
}
