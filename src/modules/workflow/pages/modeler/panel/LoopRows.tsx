import { type ReactNode, useState } from 'react'
import { braced } from '../braced.ts'
import type { Shape } from '../editor.ts'
import { type Done, type Members, readDone, readMembers, writeDone, writeMembers } from '../loop.ts'
import { listed } from '../people.ts'
import { nameProblem } from './AssigneeRows.tsx'
import { PeopleRow } from './GroupSelects.tsx'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, TextRow } from './rows.tsx'

type Way = 'one' | 'parallel' | 'sequential'

const ways = { one: '不会签', parallel: '同时办理', sequential: '依次办理' } as const satisfies Record<Way, string>
const sources = { users: '选定的人员', variable: '变量中的人员', text: '表达式' } as const satisfies Record<
  Members['by'],
  string
>
const ends = {
  all: '全部办理后通过',
  any: '一人办理即通过（或签）',
  majority: '过半同意',
  veto: '一票否决',
  text: '自定义条件',
} as const satisfies Record<Done, string>

const loop = 'bpmn:MultiInstanceLoopCharacteristics'
/** The variable in which each of the members finds themselves. */
const member = 'member'

/** True where each of several people does a task as one of its members: nobody else is asked for. */
export function isDoneByMembers({ businessObject }: Shape): boolean {
  const name = businessObject.get<typeof businessObject>('loopCharacteristics')?.get<string>('flowable:elementVariable')
  return Boolean(name) && businessObject.get('flowable:assignee') === braced(name ?? '')
}

/** Several people decide about one task, or a part of the process is gone through for each of several. */
export function LoopRows({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  const part = of.businessObject
  const characteristics = part.get<typeof part>('loopCharacteristics')
  const found = characteristics?.$type === loop ? characteristics : undefined
  const isTask = of.type === 'bpmn:UserTask'
  const way: Way = !found ? 'one' : found.get<boolean>('isSequential') ? 'sequential' : 'parallel'
  const turn = (next: Way): void => {
    const isSequential = next === 'sequential'
    if (next === 'one') {
      const own = isTask && isDoneByMembers(of) && { 'flowable:assignee': undefined }
      editor.set(of, { loopCharacteristics: undefined, ...own })
    } else if (found) editor.setPart(of, found, { isSequential })
    else {
      const made = editor.make(loop, { isSequential, 'flowable:elementVariable': member }, part)
      editor.set(of, { loopCharacteristics: made, ...(isTask && { 'flowable:assignee': braced(member) }) })
    }
  }
  return (
    <>
      <ChoiceRow label="会签" value={way} options={ways} onChange={turn} />
      {found && <MemberRows of={of} loop={found} />}
      {found && <DoneRows of={of} loop={found} />}
    </>
  )
}

interface Props {
  of: Shape
  loop: Shape['businessObject']
}

function MemberRows({ of, loop: part }: Props): ReactNode {
  const editor = useEditor()
  const written = part.get<string>('flowable:collection')
  const read = readMembers(written)
  const [begun, begin] = useState<Members['by']>()
  const by = begun && !written ? begun : read.by
  const set = (next: Members): void => editor.setPart(of, part, { 'flowable:collection': writeMembers(next) })
  const turn = (next: Members['by']): void => {
    begin(next)
    if (written) set({ by: 'users', ids: [] })
  }
  return (
    <>
      <ChoiceRow label="会签人员" value={by} options={sources} onChange={turn} />
      {by === 'users' && (
        <PeopleRow
          label="人员"
          value={read.by === 'users' ? read.ids.join(',') : ''}
          onChange={next => set({ by: 'users', ids: listed(next) })}
        />
      )}
      {by === 'variable' && (
        <TextRow
          label="变量名"
          value={read.by === 'variable' ? read.name : ''}
          check={nameProblem}
          maxLength={64}
          help="变量的值是人员编号的列表；表单中没有时由发起人自选"
          onChange={name => set({ by: 'variable', name })}
        />
      )}
      {by === 'text' && (
        <TextRow
          label="表达式"
          value={read.by === 'text' ? read.text : ''}
          placeholder="${ }"
          onChange={text => set({ by: 'text', text })}
        />
      )}
      {!isDoneByMembers(of) && (
        <TextRow
          label="每个人的变量名"
          value={part.get<string>('flowable:elementVariable') ?? ''}
          check={nameProblem}
          maxLength={64}
          onChange={next => editor.setPart(of, part, { 'flowable:elementVariable': next || undefined })}
        />
      )}
    </>
  )
}

function DoneRows({ of, loop: part }: Props): ReactNode {
  const editor = useEditor()
  const body = part.get<Props['loop']>('completionCondition')?.get<string>('body') ?? ''
  const [begun, begin] = useState(false)
  // One of one's own may begin with what stands there.
  const done = begun ? 'text' : readDone(body)
  const write = (text: string | undefined): void =>
    editor.setPart(of, part, {
      completionCondition: text ? editor.make('bpmn:FormalExpression', { body: text }, part) : undefined,
    })
  const turn = (next: Done): void => {
    begin(next === 'text')
    if (next !== 'text') write(writeDone(next))
  }
  return (
    <>
      <ChoiceRow label="通过方式" value={done} options={ends} onChange={turn} />
      {done === 'text' && (
        <TextRow
          label="完成条件"
          value={body}
          placeholder="${nrOfPassed >= 2}"
          help="可用：nrOfInstances 总数，nrOfCompletedInstances 已办，nrOfPassed 同意，nrOfRejected 不同意"
          onChange={write}
        />
      )}
    </>
  )
}
