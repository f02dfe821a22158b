import { Alert, Card, Flex, Select, Typography } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { ItemForm } from '../../../../screens/candidate/inputs/ItemForm.tsx'
import type { FieldContext } from '../../../../screens/candidate/inputs/props.ts'
import { useDictionary } from '../../../../screens/fields/dictionary.ts'
import { interpret } from '../../../../screens/interpreter.ts'
import { formCheck } from '../../../exams/rules/sign-check.ts'
import { askedFiles, type FileItem } from '../../../exams/rules/sign-files.ts'
import { groupsOf } from '../../../exams/rules/sign-form.ts'
import { type Content, type SignItem, usedItems } from '../../../exams/rules/sign-item.ts'
import { formOrder, signForm } from '../../../exams/rules/sign-schema.ts'
import '../../../../screens/candidate/inputs/inputs.css'
import type { FormFile, FormInfo, FormItem } from '../../../exams/contract.ts'
import { PreviewFrame } from './PreviewFrame.tsx'

/** An item as the rules of the form read it: what is empty on the wire is missing. */
const plain = (item: FormItem): SignItem =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, value === '' ? null : value]),
  ) as unknown as SignItem

/** What somebody who fills the form in has said so far, and what is wrong with it once a field has been left. */
function useTrial(items: readonly SignItem[], type: string | undefined, dicts: FormInfo['dicts']) {
  const [content, setContent] = useState<Content>({})
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const check = useMemo(() => formCheck(items, { type, dicts }, interpret), [items, type, dicts])
  const problems = useMemo(() => new Map(check(content, true).map(one => [one.field, one.msg])), [check, content])
  const context: FieldContext = {
    dicts,
    isOpen: () => true,
    opinionOf: () => undefined,
    problemOf: field => (left.has(field) ? problems.get(field) : undefined),
    onLeave: field => setLeft(new Set(left).add(field)),
  }
  return { content, context, set: (code: string, value: unknown) => setContent({ ...content, [code]: value }) }
}

function GroupCard({ label, children }: { label: string; children: ReactNode }) {
  const t = useT()
  return (
    <Card size="small" title={t(label)}>
      {children}
    </Card>
  )
}

function Files({ files }: { files: readonly FormFile[] }) {
  const t = useT()
  return (
    <Card size="small" title={t('照片与附件')}>
      {files.map(file => (
        <Flex key={file.id} justify="space-between" gap={8} style={{ paddingBlock: 6 }} wrap>
          <span>
            {t(file.fileName)}
            {file.required === 1 && <span className="in-must">*</span>}
          </span>
          <Typography.Text type="secondary">
            {file.exts} · ≤ {file.maxSize} KB · {t('最多 {{n}} 份', { n: file.maxNum })}
          </Typography.Text>
        </Flex>
      ))}
    </Card>
  )
}

/** The form as a candidate meets it, on a phone or at a desk: conditions and rules work, nothing is kept. */
export function FormPreview({ form }: { form: FormInfo }) {
  const t = useT()
  const [type, setType] = useState<string>()
  const types = useDictionary('post_type')
  const words = useDictionary('item_group')
  const items = useMemo(() => form.items.map(plain), [form.items])
  const { content, context, set } = useTrial(items, type, form.dicts)
  const drawn = useMemo(
    () => ({ schema: signForm(items, { type, dicts: form.dicts }), order: formOrder(items, type) }),
    [items, type, form.dicts],
  )
  const groups = groupsOf(
    usedItems(items, type),
    words.entries.map(one => ({ key: one.key, value: words.word(one.key) })),
  )
  const files = askedFiles(form.files as readonly (FormFile & FileItem)[], content, { type })
  return (
    <PreviewFrame
      tools={
        <Select
          allowClear
          style={{ width: 200 }}
          aria-label={t('岗位类别')}
          placeholder={t('岗位类别')}
          value={type}
          options={types.entries.map(one => ({ value: one.key, label: types.word(one.key) }))}
          onChange={setType}
        />
      }
    >
      <Alert type="info" showIcon title={t('可以试填：显示条件和校验规则与考生所见相同，内容不保存。')} />
      <ItemForm {...drawn} groups={groups} Group={GroupCard} values={content} onChange={set} context={context} />
      <Files files={files} />
    </PreviewFrame>
  )
}
