import { DownloadOutlined } from '@ant-design/icons'
import type { CrudFilter } from '@refinedev/core'
import { Alert, Button, Checkbox, Form, Input, Modal, Radio, Select } from 'antd'
import { useState } from 'react'
import { secret } from '#engine'
import { type OpenColumn, usualColumns } from '#resources/sign-up/sheet-columns'
import { useT } from '../../../platform/i18n/i18n.ts'
import { encrypted } from '../../../screens/candidate/encrypted.ts'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { filtersToQuery } from '../../../screens/providers/query.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { useExport } from '../../../screens/use-export.tsx'
import { useKeptValues } from '../../../screens/use-kept-values.ts'
import type { TableRow } from '../../../screens/use-rows.ts'
import { signupFiles } from '../../sign-up/contract.ts'

const base = '/blade-signup/signup'

/** What may be taken away. */
const kinds = {
  exportSignUp: '报名名单 (Excel)',
  exportSignUpEach: '报名表 (PDF 打包)',
  exportFilesForUser: '照片与附件 (打包)',
} as const
type Kind = keyof typeof kinds

interface Wish {
  kind: Kind
  open: OpenColumn[]
  items: boolean
  fileCodes: string[]
  reason: string
  password: string
}

const blank: Wish = { kind: 'exportSignUp', open: [], items: false, fileCodes: [], reason: '', password: '' }

/** Nothing keeps it. */
const password = secret('登录密码')

const isSensitive = ({ kind, open }: Wish): boolean => kind !== 'exportSignUp' || open.length > 0

/** The wish on the wire; the password is encrypted. @throws as `call` */
async function bodyOf(wish: Wish): Promise<Record<string, unknown>> {
  const wanted =
    wish.kind === 'exportSignUp'
      ? {
          items: wish.items ? 1 : 0,
          ...(wish.open.length > 0 && {
            columns: usualColumns.map(one => wish.open.find(open => one === `${open}Mask`) ?? one),
          }),
        }
      : wish.kind === 'exportFilesForUser' && wish.fileCodes.length > 0
        ? { fileCodes: wish.fileCodes }
        : {}
  if (!isSensitive(wish)) return { ...wanted, reason: wish.reason }
  const { keyId, texts } = await encrypted([wish.password])
  return { ...wanted, reason: wish.reason, password: texts[0], keyId }
}

/** What a list is to hold beside the usual. */
function SheetWishes({ wish, put, hasExam }: { wish: Wish; put: (change: Partial<Wish>) => void; hasExam: boolean }) {
  const t = useT()
  return (
    <>
      <Form.Item label={t('完整显示')}>
        <Checkbox.Group
          value={wish.open}
          onChange={open => put({ open: open as Wish['open'] })}
          options={[
            { value: 'idCard', label: t('证件号码') },
            { value: 'phone', label: t('手机号码') },
          ]}
        />
      </Form.Item>
      <Form.Item extra={hasExam ? undefined : t('先按考试筛选，才能包含报名表内容')}>
        <Checkbox disabled={!hasExam} checked={wish.items} onChange={event => put({ items: event.target.checked })}>
          {t('包含报名表填写的内容')}
        </Checkbox>
      </Form.Item>
    </>
  )
}

/** Which files; all of them when none is named. */
function FileWishes({
  examId,
  value,
  onChange,
}: {
  examId: string
  value: string[]
  onChange: (codes: string[]) => void
}) {
  const t = useT()
  const files = useEndpoint(signupFiles, { examId }, { enabled: examId !== '' })
  return (
    <Form.Item label={t('附件')} htmlFor="export-files">
      <Select
        id="export-files"
        mode="multiple"
        allowClear
        placeholder={t('全部附件')}
        value={value}
        onChange={onChange}
        options={(files.data ?? []).map(one => ({ value: one.fileCode, label: one.fileName }))}
      />
    </Form.Item>
  )
}

/** Who asks for personal data says what for, and gives the password once more. */
function Proof({ wish, put }: { wish: Wish; put: (change: Partial<Wish>) => void }) {
  const t = useT()
  return (
    <>
      <Alert type="warning" showIcon title={t('包含个人敏感信息，导出会被记录')} style={{ marginBottom: 16 }} />
      <Form.Item label={t('用途')} htmlFor="export-reason" required>
        <Input
          id="export-reason"
          maxLength={200}
          value={wish.reason}
          onChange={event => put({ reason: event.target.value })}
        />
      </Form.Item>
      <Form.Item label={t('您的登录密码')} htmlFor="export-password" required>
        <Input.Password
          id="export-password"
          autoComplete="current-password"
          maxLength={64}
          value={wish.password}
          onChange={event => put({ password: event.target.value })}
        />
      </Form.Item>
    </>
  )
}

interface Props {
  chosen: readonly TableRow[]
  filters: readonly CrudFilter[]
}

function ExportDialog({ chosen, filters, onClose }: Props & { onClose: () => void }) {
  const t = useT()
  const { take } = useExport()
  const { values: wish, change: put, draft } = useKeptValues(blank, { form: 'signup/export', fields: { password } })
  const [sending, setSending] = useState(false)
  const query = filtersToQuery(filters)
  const examId = String(query.examId ?? chosen[0]?.examId ?? '')
  const sensitive = isSensitive(wish)
  const ready = !sensitive || (wish.reason.trim().length >= 2 && wish.password !== '')
  const run = async (): Promise<void> => {
    setSending(true)
    const rows = chosen.length > 0 ? { ids: chosen.map(row => row.id) } : query
    // Without the key to encrypt the password nothing is sent; that refusal has been shown, and what was typed stays.
    const wanted = await bodyOf(wish).catch(() => null)
    const data = wanted && { ...rows, ...(wish.items && { examId }), ...wanted }
    const done = data !== null && (await take(`${base}/${wish.kind}`, { method: 'POST', data }))
    setSending(false)
    if (!done) return
    draft.saved()
    onClose()
  }
  return (
    <Modal
      open
      title={t('导出')}
      okText={t('导出')}
      okButtonProps={{ disabled: !ready }}
      confirmLoading={sending}
      onOk={() => void run()}
      onCancel={onClose}
    >
      {draft.bar}
      <Form layout="vertical" component="div">
        <Form.Item label={t('导出内容')}>
          <Radio.Group
            value={wish.kind}
            onChange={event => put({ kind: event.target.value as Kind })}
            options={Object.entries(kinds).map(([value, label]) => ({ value, label: t(label) }))}
          />
        </Form.Item>
        <Form.Item label={t('导出范围')}>
          {chosen.length > 0 ? t('选中的 {{n}} 人', { n: chosen.length }) : t('当前筛选的全部报名')}
        </Form.Item>
        {wish.kind === 'exportSignUp' && <SheetWishes wish={wish} put={put} hasExam={examId !== ''} />}
        {wish.kind === 'exportFilesForUser' && (
          <FileWishes examId={examId} value={wish.fileCodes} onChange={fileCodes => put({ fileCodes })} />
        )}
        {sensitive && <Proof wish={wish} put={put} />}
      </Form>
    </Modal>
  )
}

/** The way to the exports of sign-ups: the chosen rows, or all that the list shows. */
export function SignupExport(props: Props) {
  const t = useT()
  const may = useCan('signup_export')
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button icon={<DownloadOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {t('导出')}
      </Button>
      {open && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
