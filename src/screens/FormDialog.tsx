import { type HttpError, useCreate, useOne, useUpdate } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Modal, Result, Skeleton } from 'antd'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Resource } from '#engine'
import { ApiError } from '../platform/http/browser/http.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import type { WireRow } from './fields/props.ts'
import { rowName } from './fields/shown-name.ts'
import { groupId } from './form-parts.tsx'
import { type FormRows, formRowsOf, rowsBody, startRows } from './form-rows.ts'
import { bodyOf, inputsOf, startValues, type Values, withInputs, withoutInputs } from './form-values.ts'
import { usePermissions } from './providers/rights.ts'
import RecordForm from './RecordForm.tsx'
import { SentBefore } from './SentBefore.tsx'
import { useDraft } from './use-draft.tsx'
import { type FormKey, useKey } from './use-key.ts'
import { doneText } from './window/toasts.tsx'
import { useSmall } from './window/use-width.ts'
import { wrongInputs } from './wrong-inputs.ts'

/** What a form dialog is given. */
export interface FormDialogProps {
  resource: Resource
  /** The row to edit, or null for a new one. */
  row: WireRow | null
  /** Values of a new row known beforehand, such as its parent. */
  defaults?: Values
  /** Values that are known from where it stands: nobody is asked for them, and a new row has them. */
  fixed?: Values
  /** Asks for these fields alone, under a title of their own. */
  only?: { readonly title: string; readonly fields: readonly string[] }
  /** The input to begin with. */
  at?: string | undefined
  /** Title of the page that it is; without one it stands over the window. */
  inPage?: string
  onClose: () => void
  /** Called instead when it has been saved. */
  onSaved?: () => void
}

const NONE: readonly FormRows[] = []
/** Changed by someone else meanwhile. */
const CONFLICT = REFUSAL.row.changed
/** Inputs from which on a form gets the height of the window. */
const MANY = 10

/** What is saved: a row, or a new one with what is known of it, and the rows that its form holds. */
interface Saved extends Pick<FormDialogProps, 'resource' | 'row' | 'fixed'> {
  rows: readonly FormRows[]
}

/** Saving with what can come of it: done, refused by input, or changed by someone else. */
function useSave({ resource, row, rows, fixed = {} }: Saved, key: FormKey, done: () => void) {
  const t = useT()
  const create = useCreate<Values, HttpError, Values>()
  const update = useUpdate<Values, HttpError, Values>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const [conflict, setConflict] = useState(false)
  const [isSentBefore, setSentBefore] = useState(false)
  const { modal, message } = App.useApp()
  const navigate = useNavigate()
  const save = async (values: Values): Promise<void> => {
    setBusy(true)
    const body = { ...(row ? {} : fixed), ...bodyOf(resource, values, row), ...rowsBody(rows, values) }
    const name = rowName(resource.entity, { ...row, ...values })
    const told = doneText(t(row ? '更新成功' : '新增成功'), name)
    const what = {
      resource: resource.name,
      values: body,
      meta: { key: key.keyFor(body, row !== null) },
    }
    try {
      const announcing = resource.announce && row ? await import('./announcing.tsx') : undefined
      const decision = announcing ? await announcing.askAnnounced(resource, row, body, modal) : 'silent'
      if (decision === 'cancel') return
      const isTold = announcing && row && decision === 'told'
      const successNotification = isTold ? (false as const) : () => ({ type: 'success', message: told }) as const
      if (row) await update.mutateAsync({ ...what, successNotification, id: idOf(resource, row) })
      else await create.mutateAsync({ ...what, successNotification })
      if (isTold) announcing.tellDrafted(resource, row, told, { message, go: to => void navigate(to) })
      done()
    } catch (error) {
      setSentBefore(key.failed(error))
      setRefused(wrongInputs(error))
      setConflict(error instanceof ApiError && error.code === CONFLICT)
    } finally {
      setBusy(false)
    }
  }
  const saveAgain = (values: Values): void => {
    key.renew()
    setSentBefore(false)
    void save(values)
  }
  const typed = (name: string): void => setRefused(({ [name]: _gone, ...rest }) => rest)
  return { save, saveAgain, busy, refused, typed, conflict, isSentBefore }
}

interface BodyProps extends FormDialogProps {
  prefix: string
  rows: readonly FormRows[]
  reload: () => Promise<void>
  onDirty: () => void
  onCancel: () => void
}

function FormBody(props: BodyProps) {
  const {
    prefix,
    resource,
    row: latest,
    rows: latestRows,
    defaults,
    fixed,
    only,
    at,
    reload,
    onDirty,
    onCancel,
    onClose,
    onSaved = onClose,
  } = props
  const t = useT()
  // The row stays as it was when the form opened: a newer version arriving behind it would hide someone else's change.
  const [row] = useState(latest)
  const [rows] = useState(latestRows)
  const [start] = useState<Values>(() => ({
    ...fixed,
    ...startValues(resource, row, defaults),
    ...startRows(rows),
  }))
  const [values, setValues] = useState(start)
  const key = useKey()
  const draft = useDraft({
    form: only ? `${resource.name}/${only.fields.join('-')}` : resource.name,
    rowId: row ? idOf(resource, row) : undefined,
    fields: resource.entity.properties,
    rows: Object.fromEntries(rows.map(one => [one.child.resource, one.resource.entity.properties])),
    start,
    row,
    key,
    onRestore: restored => change({ ...values, ...restored }),
  })
  const { save, saveAgain, busy, refused, typed, conflict, isSentBefore } = useSave(
    { resource, row, rows, fixed },
    key,
    () => {
      draft.saved()
      onSaved()
    },
  )
  useEffect(() => {
    if (at !== undefined) goToInput(prefix, resource, at)
  }, [prefix, resource, at])
  const change = (next: Values): void => {
    for (const name of Object.keys(refused)) {
      const [first = ''] = name.split('.')
      if (next[first] !== values[first]) typed(name)
    }
    setValues(next)
    draft.changed(next)
    onDirty()
  }
  const again = (
    <Button size="small" onClick={() => void reload()}>
      {t('载入最新内容')}
    </Button>
  )
  return (
    <>
      {conflict && (
        <Alert
          type="warning"
          showIcon
          title={t('数据已被他人修改，您填写的内容还在。载入最新内容后可以逐项恢复。')}
          action={again}
          style={{ marginBottom: 16 }}
        />
      )}
      {draft.bar}
      {isSentBefore && <SentBefore again="另存为新的一条" onAgain={() => saveAgain(values)} />}
      <RecordForm
        prefix={prefix}
        resource={resource}
        row={row}
        rows={rows}
        values={values}
        onChange={change}
        onSubmit={next => void save(next)}
        disabled={busy}
        refused={refused}
      >
        <div className="form-foot">
          <Button onClick={onCancel}>{t('取消')}</Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('保存')}
          </Button>
        </div>
      </RecordForm>
    </>
  )
}

/** Brings an input into view and puts the cursor into it; its group where it has no place of its own. */
function goToInput(prefix: string, resource: Resource, name: string): void {
  const group = resource.form.findIndex(({ inputs }) => inputs.some(({ field }) => field === name))
  const input = document.getElementById(`${prefix}_${name}`)
  const place = input ?? document.getElementById(groupId(prefix, group))
  place?.scrollIntoView({ block: input ? 'center' : 'start' })
  input?.focus({ preventScroll: true })
}

function GroupNav({ prefix, resource }: { prefix: string; resource: Resource }) {
  const t = useT()
  return (
    <nav className="form-nav" aria-label={t('表单分组')}>
      {resource.form.map((group, at) => (
        <Button
          key={group.title}
          type="text"
          onClick={() => document.getElementById(groupId(prefix, at))?.scrollIntoView({ behavior: 'smooth' })}
        >
          {t(group.title)}
        </Button>
      ))}
    </nav>
  )
}

function Frame(props: { title: string; large: boolean; inPage: boolean; onClose: () => void; children: ReactNode }) {
  const { title, large, inPage, onClose, children } = props
  const small = useSmall()
  if (inPage)
    return (
      <section className="place-form">
        <h2>{title}</h2>
        {children}
      </section>
    )
  if (large || small)
    return (
      <Drawer
        open
        title={title}
        size={small ? '100%' : 'min(1080px, 92vw)'}
        onClose={onClose}
        mask={{ closable: false }}
      >
        {children}
      </Drawer>
    )
  return (
    <Modal open title={title} width={760} footer={null} onCancel={onClose} mask={{ closable: false }}>
      {children}
    </Modal>
  )
}

/** What of a resource its form asks for. */
function askedOf({ resource, fixed, only }: FormDialogProps): Resource {
  if (only) return withInputs(resource, only.fields)
  return fixed ? withoutInputs(resource, fixed) : resource
}

/** Adds or edits a row: in a dialog, or with the height of the window where there is much to fill in. */
export default function FormDialog(props: FormDialogProps) {
  const { row, only, inPage, onClose } = props
  const [resource] = useState(() => askedOf(props))
  const t = useT()
  const prefix = useId()
  const { modal } = App.useApp()
  const [dirty, setDirty] = useState(false)
  const [round, setRound] = useState(0)
  const id = row ? idOf(resource, row) : undefined
  const one = useOne<WireRow & { id?: string }>({
    resource: resource.name,
    id,
    queryOptions: { enabled: id !== undefined, retry: false, gcTime: 0, staleTime: 0, refetchOnWindowFocus: false },
  })
  // Only what was read since the form opened: an older copy would be refused as outdated.
  const read = one.query.isFetchedAfterMount ? (one.query.data?.data as WireRow | undefined) : undefined
  const detail = row ? read : null
  const hasRows = resource.children.some(child => child.in === 'form')
  const permissions = usePermissions()
  const held = useQuery({
    queryKey: ['form-rows', resource.name, id ?? ''],
    queryFn: () => formRowsOf(resource, id, permissions),
    enabled: hasRows,
    retry: false,
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const rows = !hasRows ? NONE : held.isFetchedAfterMount ? held.data : undefined
  const close = (): void => {
    if (!dirty) onClose()
    else
      modal.confirm({
        title: t('内容尚未保存，确定关闭?'),
        okText: t('关闭'),
        cancelText: t('继续填写'),
        onOk: onClose,
      })
  }
  const groups = resource.form.length > 1
  const name = t(resource.entity.title)
  const title = row ? t('修改{{name}}', { name }) : t('新增{{name}}', { name })
  const retry = async (): Promise<void> => {
    await Promise.all([row && one.query.refetch(), hasRows && held.refetch()])
    setRound(current => current + 1)
  }
  return (
    <Frame
      title={(inPage ?? only?.title) ? t(inPage ?? only?.title ?? '') : title}
      large={groups || hasRows || inputsOf(resource).length > MANY}
      inPage={inPage !== undefined}
      onClose={close}
    >
      {one.query.isError || held.isError ? (
        <Result
          status="warning"
          title={t('加载失败')}
          extra={<Button onClick={() => void retry()}>{t('重试')}</Button>}
        />
      ) : detail === undefined || rows === undefined ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : (
        <div className={groups ? 'form-columns' : undefined}>
          {groups && <GroupNav prefix={prefix} resource={resource} />}
          <div>
            <FormBody
              {...props}
              resource={resource}
              prefix={prefix}
              key={round}
              row={detail}
              rows={rows}
              reload={retry}
              onDirty={() => setDirty(true)}
              onCancel={close}
            />
          </div>
        </div>
      )}
    </Frame>
  )
}
