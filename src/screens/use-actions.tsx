import { App } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { fieldOf, type Resource } from '#engine'
import { type t, useT } from '../platform/i18n/i18n.ts'
import { type AnyAction, askedFields, idOf, type Run, runAction } from './actions.ts'
import { partly, type Report, readAnswer } from './answers.ts'
import { fileMark, useButtonKeys } from './button-keys.ts'
import type { WireRow } from './fields/props.ts'
import { rowName } from './fields/shown-name.ts'
import { useMay } from './may.ts'
import { WideTable } from './WideTable.tsx'
import { doneText } from './window/toasts.tsx'

const AskDialog = lazy(() => import('./AskDialog.tsx').then(part => ({ default: part.AskDialog })))

/** Names of answers that are no fields. */
const NAMES: Readonly<Record<string, string>> = {
  account: '登录账号',
  password: '初始密码',
  oneTimePassword: '初始密码',
  reason: '原因',
  count: '数量',
  redirectUri: '回调地址',
  message: '说明',
  msg: '说明',
  instanceId: '运行编号',
}

/** Answers that are sentences. */
const SAID = new Set(['message', 'msg'])

function ReportTable({ resource, report }: { resource: Resource; report: Report }) {
  const t = useT()
  const title = (key: string): string => t(NAMES[key] ?? fieldOf(resource.entity, key)?.title ?? key)
  return (
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
        ...(SAID.has(key) && { render: (text: string) => t(text) }),
      }))}
    />
  )
}

/** The one sentence that an answer is. */
function sentenceOf({ columns: [first = '', ...others], lines }: Report): string | undefined {
  return SAID.has(first) && others.length === 0 && lines.length === 1 ? String(lines[0]?.[first]) : undefined
}

/** Lets the person choose one file with one of these endings. */
function chooseFile(accept: string, chosen: (file: File) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.onchange = () => input.files?.[0] && chosen(input.files[0])
  input.click()
}

/** The address of a page about a row: `:id` stands for its id, `:field` for the value of a field. */
const addressOf = (pattern: string, id: string, row: WireRow): string =>
  pattern.replace(/:([A-Za-z]\w*)/g, (_, name: string) =>
    encodeURIComponent(name === 'id' ? id : String(row[name] ?? '')),
  )

/** How many rows are chosen, in words; nothing for one row or none. */
const countText = (say: typeof t, ids: readonly string[]): string | undefined =>
  ids.length > 1 ? say('已选 {{n}} 项', { n: ids.length }) : undefined

/** Which rows something was done to, in words: what the one is called, or how many they are. */
export const rowsText = (say: typeof t, resource: Resource, rows: readonly WireRow[]): string =>
  rows.length > 1 ? say('已选 {{n}} 项', { n: rows.length }) : rowName(resource.entity, rows[0])

interface Asked {
  action: AnyAction
  rows: readonly WireRow[]
  file?: File
  /** What is told of the rows above what is asked. */
  about?: ReactNode
}

/**
 * Runs actions with everything around them: page, file, question, dialog, message.
 * @param reload called after every action that succeeded
 * @returns how to start one, how to begin with its question on the page that it would open, which one is under way, and the dialog to draw
 */
export function useActions(resource: Resource, reload: () => void) {
  const t = useT()
  const { modal, message } = App.useApp()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const [busy, setBusy] = useState<string>()
  const keys = useButtonKeys()
  const may = useMay(resource)

  const tell = async (action: AnyAction, answer: unknown, rows: readonly WireRow[]): Promise<void> => {
    const report = readAnswer(answer)
    const some = partly(answer)
    const sentence = report && sentenceOf(report)
    if (report) {
      const content = sentence ? t(sentence) : <ReportTable resource={resource} report={report} />
      modal.info({ title: t(action.label), content, ...(!sentence && { width: 640 }), okText: t('知道了') })
      return
    }
    const whom = rowsText(t, resource, rows)
    const done = action.done && whom && t(action.done, { name: whom })
    const said = some
      ? t('已处理 {{changed}} 条，共 {{total}} 条', some)
      : done || doneText(whom ? '' : t('操作成功!'), t(action.label), whom)
    const made = { resource, action, rows, answer, said, whom }
    if (action.undo && (await import('./undoing.ts')).tellUndoable(made, may, message, reload)) return
    void (some ? message.warning(said) : message.success(said))
  }
  const run = async (action: AnyAction, how: Run, rows: readonly WireRow[]): Promise<void> => {
    setBusy(action.name)
    try {
      const answer = await runAction(resource, action, how)
      reload()
      await tell(action, answer, rows)
    } finally {
      setBusy(undefined)
    }
  }
  const confirmed = (action: AnyAction, how: Run, rows: readonly WireRow[], about: ReactNode): void => {
    const what = [action.name, how.ids, how.file && fileMark(how.file)]
    const go = (): Promise<void> => keys.once(what, key => run(action, { ...how, key }, rows)).catch(() => undefined)
    if (!action.confirm) void go()
    else {
      const okButtonProps = { danger: action.danger }
      const content = about ?? countText(t, how.ids)
      modal.confirm({
        title: t(action.confirm),
        content,
        okText: t('确定'),
        cancelText: t('取消'),
        okButtonProps,
        onOk: go,
      })
    }
  }
  const idsOf = (rows: readonly WireRow[]): string[] => rows.map(row => idOf(resource, row))
  const begin = (
    action: AnyAction,
    rows: readonly WireRow[],
    { file, about }: Pick<Asked, 'file' | 'about'> = {},
  ): void => {
    const fields = askedFields(resource, action, rows)
    if (Object.keys(fields).length > 0) setAsked({ action, rows, file, about })
    else confirmed(action, { ids: idsOf(rows), file }, rows, about)
  }
  const start = (action: AnyAction, rows: readonly WireRow[]): void => {
    const [first] = rows
    if (action.open) void navigate(addressOf(action.open, idsOf(rows)[0] ?? '', first ?? {}))
    else if (action.upload) chooseFile(action.upload, file => begin(action, rows, { file }))
    else begin(action, rows)
  }
  const dialog: ReactNode = asked && (
    <Suspense fallback={null}>
      <AskDialog
        resource={resource}
        action={asked.action}
        fields={askedFields(resource, asked.action, asked.rows)}
        rows={asked.rows}
        about={asked.about ?? countText(t, idsOf(asked.rows))}
        onRun={(values, key) =>
          run(asked.action, { ids: idsOf(asked.rows), file: asked.file, values, key }, asked.rows)
        }
        onClose={() => setAsked(undefined)}
      />
    </Suspense>
  )
  return { start, begin, busy, dialog }
}

/** What {@link useActions} answers. */
export type Actions = ReturnType<typeof useActions>
