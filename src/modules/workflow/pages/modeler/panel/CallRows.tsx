import type { ReactNode } from 'react'
import type { Shape } from '../editor.ts'
import { extensionsOf, setExtensions } from '../extensions.ts'
import { listed } from '../people.ts'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, TextRow } from './rows.tsx'

const inherits = { true: '全部变量', false: '只交接下面列出的变量' } as const

const pairs = /^\s*([A-Za-z_]\w{0,63})\s*(?:[=:]\s*([A-Za-z_]\w{0,63})\s*)?$/

/** What is wrong with a list of variables to hand over, in Chinese. */
const pairsProblem = (text: string): string | undefined =>
  listed(text).every(one => pairs.test(one)) ? undefined : '写成 目标=来源，用逗号分隔'

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
      <TextRow
        label="流程标识"
        value={part.get<string>('calledElement') ?? ''}
        maxLength={64}
        help="已部署的流程的标识；办理到这里时发起它的最新版本"
        onChange={next => editor.set(of, { calledElement: next || undefined })}
      />
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
