import { BellOutlined } from '@ant-design/icons'
import { Alert, Button, Form, Modal, Select, Typography } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { callOf } from '#engine'
import { noticeread } from '#resources/notices/noticeread'
import { RemindWhom } from '#schemas/dictionaries/exam'
import { reminderValues } from '#schemas/notices/reminder'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useDictionary } from '../../../screens/fields/dictionary.ts'
import { useCanChange } from '../../../screens/may.ts'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { messageTemplates } from '../contract.ts'

interface Props {
  noticeId: string
  /** How many have not read, and how many have not confirmed. */
  counts: { unread: number; unsure: number } | undefined
  /** The notice asks to be confirmed. */
  needSure: boolean
}

/** Reminds those who have not read a notice by text message: a draft is made of them, to be looked at, paid and sent. */
export function RemindButton({ noticeId, counts, needSure }: Props) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const [mayRemind, maySend] = [useCanChange('noticeread_remind'), useCanChange('send_add')]
  if (!mayRemind || !maySend || !counts) return null
  const left = needSure ? counts.unsure : counts.unread
  return (
    <>
      <Button icon={<BellOutlined aria-hidden />} disabled={left === 0} onClick={() => setOpen(true)}>
        {t('短信提醒')}
      </Button>
      {open && <RemindDialog noticeId={noticeId} counts={counts} needSure={needSure} onClose={() => setOpen(false)} />}
    </>
  )
}

function RemindDialog({ noticeId, counts, needSure, onClose }: Required<Props> & { onClose: () => void }) {
  const t = useT()
  const go = useNavigate()
  const { word } = useDictionary('remind_whom')
  const templates = useEndpoint(messageTemplates, {})
  const usable = (templates.data ?? []).filter(one => one.params.every(name => reminderValues.includes(name)))
  const [whom, setWhom] = useState<1 | 2>(needSure ? RemindWhom.unconfirmed : RemindWhom.unread)
  const [templateId, choose] = useState<string>()
  const chosen = usable.find(one => one.id === templateId)
  const left = (whom === RemindWhom.unconfirmed ? counts?.unsure : counts?.unread) ?? 0
  const remind = useSend(callOf(noticeread, 'remind'), { done: false })
  const run = ({ id }: { id: string }) =>
    remind.mutateAsync({ noticeId, templateId: id, whom }).then(
      made => go(`/send/order/${made.id}`),
      () => undefined,
    )
  return (
    <Modal
      open
      title={t('短信提醒')}
      okText={t('生成名单')}
      okButtonProps={{ disabled: !chosen || left === 0 }}
      confirmLoading={remind.isPending}
      onOk={() => void (chosen && run(chosen))}
      onCancel={onClose}
    >
      <Form layout="vertical" component="div">
        {needSure && (
          <Form.Item label={t('提醒对象')} htmlFor="remind-whom">
            <Select
              id="remind-whom"
              value={whom}
              onChange={setWhom}
              options={[
                { value: RemindWhom.unconfirmed, label: `${word(RemindWhom.unconfirmed)} (${counts?.unsure})` },
                { value: RemindWhom.unread, label: `${word(RemindWhom.unread)} (${counts?.unread})` },
              ]}
            />
          </Form.Item>
        )}
        <Form.Item label={t('短信模板')} htmlFor="remind-template" required>
          <Select
            id="remind-template"
            value={templateId}
            onChange={choose}
            loading={templates.isPending}
            placeholder={t('请选择短信模板')}
            notFoundContent={t('没有可用的模板：模板里只能有 {{names}}', { names: reminderValues.join('、') })}
            options={usable.map(one => ({ value: one.id, label: one.smsCode }))}
          />
        </Form.Item>
        {chosen && (
          <Typography.Paragraph type="secondary">
            【{chosen.signName}】{chosen.templateContent}
          </Typography.Paragraph>
        )}
        <Alert type="info" showIcon title={t('为 {{n}} 人生成短信名单，核对并支付后才会发送。', { n: left })} />
      </Form>
    </Modal>
  )
}
