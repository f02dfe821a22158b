import { Form, Tag } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import type { Editor, Part, Shape } from '../editor.ts'
import { listed, readGroups, writeGroups } from '../people.ts'
import { AssigneeRows } from './AssigneeRows.tsx'
import { CallRows } from './CallRows.tsx'
import { ConditionRows, mayHaveCondition } from './ConditionRows.tsx'
import { FormRows } from './FormRows.tsx'
import { GroupRows, PeopleRow } from './GroupSelects.tsx'
import { EditorProvider, useEditor } from './knowledge.ts'
import { isDoneByMembers, LoopRows } from './LoopRows.tsx'
import { TextRow } from './rows.tsx'
import { ServiceRows } from './ServiceRows.tsx'
import { DurationRow, TimerRows, timerOf } from './TimerRows.tsx'

/** What each kind of step is called. */
const kinds: Readonly<Record<string, string>> = {
  Process: '流程',
  Collaboration: '流程',
  StartEvent: '开始事件',
  EndEvent: '结束事件',
  UserTask: '用户任务',
  ServiceTask: '服务任务',
  SendTask: '发送任务',
  ReceiveTask: '接收任务',
  ManualTask: '手工任务',
  Task: '普通任务',
  ExclusiveGateway: '排他网关',
  ParallelGateway: '并行网关',
  InclusiveGateway: '包容网关',
  SequenceFlow: '连线',
  SubProcess: '子流程',
  CallActivity: '调用流程',
  BoundaryEvent: '边界事件',
  IntermediateCatchEvent: '等待',
  IntermediateThrowEvent: '经过点',
  TextAnnotation: '批注',
}

/** What can be gone through once for each of several. Of tasks of people it is said beside the people. */
const repeated = new Set(['bpmn:ServiceTask', 'bpmn:SubProcess', 'bpmn:CallActivity'])

/** What is wrong with the id of a step, in Chinese. */
function idProblem(editor: Editor, own: string, id: string): string | undefined {
  if (!/^[A-Za-z_][\w.-]{0,63}$/.test(id)) return '标识只能含字母、数字、点、下划线和连字符，以字母或下划线开头'
  return id !== own && editor.isTaken(id) ? '标识重复' : undefined
}

function IdRow({ of, label = '标识' }: { of: Shape; label?: string }): ReactNode {
  const editor = useEditor()
  return (
    <TextRow
      label={label}
      value={of.id}
      check={id => idProblem(editor, of.id, id)}
      maxLength={64}
      onChange={id => editor.set(of, { id })}
    />
  )
}

/** The process of a drawing, which pools may stand around. */
export function processOf(editor: Editor): Part | undefined {
  const shapes = editor.all()
  const root = shapes.find(one => one.type === 'bpmn:Process')
  if (root) return root.businessObject
  return shapes.find(one => one.type === 'bpmn:Participant')?.businessObject.get<Part>('processRef')
}

function ProcessRows({ of }: { of: Shape }): ReactNode {
  const t = useT()
  const editor = useEditor()
  const process = processOf(editor)
  if (!process) return null
  const set = (properties: Record<string, unknown>): void =>
    process === of.businessObject ? editor.set(of, properties) : editor.setPart(of, process, properties)
  const users = process.get<string>('flowable:candidateStarterUsers')
  return (
    <>
      <TextRow
        label="流程名称"
        value={process.get<string>('name') ?? ''}
        maxLength={100}
        onChange={name => set({ name })}
      />
      <TextRow
        label="流程标识"
        value={process.id ?? ''}
        check={id => idProblem(editor, process.id ?? '', id)}
        maxLength={64}
        help="同一标识再次部署是新的版本"
        onChange={id => set({ id })}
      />
      <h3>{t('可发起的人')}</h3>
      <PeopleRow
        label="人员"
        value={users ?? ''}
        help="都不选时，有发起权限的人都可以发起"
        onChange={next => set({ 'flowable:candidateStarterUsers': listed(next).join(',') || undefined })}
      />
      <GroupRows
        value={readGroups(process.get<string>('flowable:candidateStarterGroups'))}
        onChange={next => set({ 'flowable:candidateStarterGroups': writeGroups(next) })}
      />
    </>
  )
}

function DueRow({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  return (
    <DurationRow
      label="办理期限"
      value={of.businessObject.get<string>('flowable:dueDate') ?? ''}
      onChange={next => editor.set(of, { 'flowable:dueDate': next || undefined })}
    />
  )
}

function DocumentationRow({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  const [first] = of.businessObject.get<Part[]>('documentation') ?? []
  return (
    <TextRow
      label="办理说明"
      value={first?.get<string>('text') ?? ''}
      multiline
      maxLength={500}
      onChange={text =>
        editor.set(of, {
          documentation: text ? [editor.make('bpmn:Documentation', { text }, of.businessObject)] : [],
        })
      }
    />
  )
}

/** What only one kind of step has. */
function KindRows({ of }: { of: Shape }): ReactNode {
  const timer = timerOf(of.businessObject)
  if (timer) return <TimerRows of={of} timer={timer} />
  switch (of.type) {
    case 'bpmn:UserTask':
      return (
        <>
          {!isDoneByMembers(of) && <AssigneeRows of={of} />}
          <LoopRows of={of} />
          <DueRow of={of} />
          <DocumentationRow of={of} />
        </>
      )
    case 'bpmn:ServiceTask':
    case 'bpmn:SendTask':
      return <ServiceRows of={of} />
    case 'bpmn:CallActivity':
      return <CallRows of={of} />
    case 'bpmn:SequenceFlow':
      return mayHaveCondition(of) ? <ConditionRows of={of} /> : null
    default:
      return null
  }
}

function StepRows({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  return (
    <>
      <TextRow
        label="名称"
        value={of.businessObject.get<string>('name') ?? ''}
        maxLength={100}
        onChange={name => editor.set(of, { name: name || undefined })}
      />
      <KindRows of={of} />
      {repeated.has(of.type) && <LoopRows of={of} />}
      {(of.type === 'bpmn:UserTask' || of.type === 'bpmn:StartEvent') && <FormRows of={of} />}
      <IdRow of={of} />
    </>
  )
}

/** What the chosen step or line says, to be changed; of the process itself where none is chosen. */
export function Panel({ editor }: { editor: Editor }): ReactNode {
  const t = useT()
  const chosen = editor.chosen()
  const kind = chosen.type.slice('bpmn:'.length)
  const isProcess = kind === 'Process' || kind === 'Collaboration'
  return (
    <EditorProvider value={editor}>
      <section className="modeler-panel" aria-label={t('属性')}>
        <h2>
          {t('属性')} <Tag>{t(kinds[kind] ?? '图形')}</Tag>
        </h2>
        <Form component="div" layout="vertical" key={chosen.id}>
          {isProcess ? <ProcessRows of={chosen} /> : <StepRows of={chosen} />}
        </Form>
      </section>
    </EditorProvider>
  )
}
