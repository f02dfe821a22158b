import type { useAppProps } from 'antd/es/app/context'
import { fieldOf, type Resource } from '#engine'
import { sentence, t, useT, verb } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import { decided, type Partly, partly, type Report, readAnswer } from './answers.ts'
import CopyText from './fields/CopyText.tsx'
import { rowName } from './fields/shown-name.ts'
import { type Made, tellUndoable } from './undoing.ts'
import { WideTable } from './WideTable.tsx'
import { doneText } from './window/toasts.tsx'

/** Names of answers that are no fields. */
const NAMES: Readonly<Record<string, string>> = {
  account: '登录账号',
  password: '初始密码',
  oneTimePassword: '初始密码',
  reason: '原因',
  count: '数量',
  num: '数量',
  redirectUri: '回调地址',
  message: '说明',
  msg: '说明',
  instanceId: '运行编号',
  httpStatus: 'HTTP状态',
  ms: '耗时（毫秒）',
  answer: '接收方的回应',
}

/** Answers that are told once and taken along. */
const TAKEN = new Set(['secret'])

/** Answers that are sentences. */
const SAID = new Set(['message', 'msg'])

/** Answers that the server has said in Chinese. */
const WORDED = new Set([...SAID, 'reason'])

/** How many of how many rows something was done to. */
const partlyText = (some: Partly): string => t('已处理 {{changed}} 条，共 {{total}} 条', { ...some })

function ReportTable({ resource, report, some }: { resource: Resource; report: Report; some: Partly | null }) {
  const t = useT()
  const title = (key: string): string => t(NAMES[key] ?? fieldOf(resource.entity, key)?.title ?? key)
  const table = (
    <WideTable
      label={t('结果')}
      size="small"
      rowKey={line => JSON.stringify(line)}
      pagination={false}
      width="max-content"
      height={400}
      dataSource={[...report.lines]}
      columns={report.columns.map(key => ({
        key,
        dataIndex: key,
        title: title(key),
        // Sentences of the server have their English; everything else is a name, a number or a password.
        ...(WORDED.has(key) && { render: (text: string) => sentence(text) }),
        ...(TAKEN.has(key) && { render: (text: string) => <CopyText>{text}</CopyText> }),
      }))}
    />
  )
  return some ? (
    <>
      <p>{partlyText(some)}</p>
      {table}
    </>
  ) : (
    table
  )
}

/** The one sentence that an answer is. */
function sentenceOf({ columns: [first = '', ...others], lines }: Report): string | undefined {
  return SAID.has(first) && others.length === 0 && lines.length === 1 ? String(lines[0]?.[first]) : undefined
}

interface Around extends Pick<useAppProps, 'modal' | 'message'> {
  /** Whether the person may use an action. */
  may: (name: string) => boolean
  reload: () => void
  go: (address: string) => unknown
}

/** The page about what an action has made. */
const madePage = (pattern: string, answer: unknown): string =>
  pattern.replace(/:([A-Za-z]\w*)/g, (_, name: string) =>
    encodeURIComponent(String((answer as Record<string, unknown> | null)?.[name] ?? '')),
  )

/** Says what an action did: its answer as a sentence or a table, or what was done to whom, with a way back where there is one. */
export function tellDone(done: Omit<Made, 'said'>, { modal, message, may, reload, go }: Around): void {
  const { resource, action, rows, answer, whom } = done
  if (action.leads) return void go(madePage(action.leads, answer))
  const { entity } = resource
  const report = readAnswer(answer, id => {
    const row = rows.find(one => idOf(resource, one) === id)
    return row ? { [entity.label]: rowName(entity, row) } : {}
  })
  const some = partly(answer)
  const alone = report && sentenceOf(report)
  // An action that says what it did has its other values for whoever calls it: the row shows them.
  if (report && (alone || !action.done || decided(answer))) {
    const content = alone ? sentence(alone) : <ReportTable resource={resource} report={report} some={some} />
    modal.info({ title: verb(action.label), content, ...(!alone && { width: 640 }), okText: t('知道了') })
    return
  }
  const own = action.done && whom && t(action.done, { name: whom })
  const said = some ? partlyText(some) : own || doneText(whom ? '' : t('操作成功!'), t(action.label), whom)
  if (action.undo && tellUndoable({ ...done, said }, may, message, reload)) return
  void (some ? message.warning(said) : message.success(said))
}
