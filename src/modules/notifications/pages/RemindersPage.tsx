import { Alert, Button, Card, Flex, Switch, Tag, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { AnswerOf } from '#engine'
import { useT } from '../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { StackedTable } from '../../../screens/parts/StackedTable.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { ChooseExam, ExamPicker, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import { chooseEvent, planReminder, type ReminderPlan, reminderPlans } from '../contract.ts'
import { PlanDialog } from './PlanDialog.tsx'
import { PresetSwitch } from './PresetSwitch.tsx'

interface Shown {
  of: ReminderPlan
  /** Of this exam; undefined for what holds in all of them. */
  examId: string | undefined
  /** Nothing is settled any more. */
  isFixed: boolean
}

/** Ways beside the inbox, and where a reminder says whether it goes out by them and can. */
const channels = {
  sms: { name: '{{name}}：发短信', isOn: 'isSms', can: 'hasTemplate' },
  wechat: { name: '{{name}}：发微信', isOn: 'isWechat', can: 'hasWechat' },
} as const

/** Whether a reminder goes out by a way beside the inbox. */
function By({ of, examId, isFixed, channel }: Shown & { channel: keyof typeof channels }): ReactNode {
  const t = useT()
  const save = useSend(chooseEvent, { stale: [reminderPlans] })
  const { name, isOn, can } = channels[channel]
  if (of[channel] === 'none')
    return <Typography.Text type="secondary">{t(channel === 'sms' ? '仅站内' : '不发')}</Typography.Text>
  if (of[channel] === 'must') return <Tag color="blue">{t('必发')}</Tag>
  if (examId === undefined) return t(of[isOn] ? '是' : '否')
  return (
    <Flex vertical gap={4} align="flex-start">
      <Switch
        size="small"
        checked={of[isOn]}
        loading={save.isPending}
        disabled={!of.isOn || isFixed}
        aria-label={t(name, { name: of.label })}
        onChange={isUsed => save.mutate({ examId, code: of.code, channel, isOn: isUsed })}
      />
      {of[isOn] && of.isOn && !of[can] && (
        <Typography.Text type="warning" style={{ fontSize: 12 }}>
          {t('无模板')}
        </Typography.Text>
      )}
    </Flex>
  )
}

/** Whether somebody is reminded at all. */
function Use({ of, examId, isFixed }: Shown): ReactNode {
  const save = useSend(planReminder, { stale: [reminderPlans] })
  const { code, steps, most } = of
  const change = (isOn: boolean) =>
    save.mutate({ ...(examId && { examId }), code, isOn, steps, ...(most !== '' && { most }) })
  return (
    <Switch
      size="small"
      checked={of.isOn}
      loading={save.isPending}
      disabled={of.isMust || isFixed}
      aria-label={of.label}
      onChange={change}
    />
  )
}

/** What the hours are counted back from, and the hours. */
function When({ of: { before, steps, isChanged } }: Pick<Shown, 'of'>): ReactNode {
  const t = useT()
  const hours = steps.filter(one => one > 0)
  return (
    <Flex gap={6} wrap align="center">
      <span>{hours.length > 0 ? t('{{before}}前 {{hours}} 小时', { before, hours: hours.join(' / ') }) : before}</span>
      {isChanged && <Tag color="gold">{t('已修改')}</Tag>}
    </Flex>
  )
}

interface PlansProps {
  readonly plans: AnswerOf<typeof reminderPlans>
  readonly examId: string | undefined
}

function Plans({ plans: { reminders, quiet, isArchived }, examId }: PlansProps): ReactNode {
  const t = useT()
  const [changing, change] = useState<ReminderPlan>()
  const place = { examId, isFixed: isArchived }
  const missing = reminders.filter(one => one.isOn && one.isSms && !one.hasTemplate)
  return (
    <Flex vertical gap={12}>
      <Typography.Text type="secondary">
        {t('提醒按考试的时间自动发送，每人每次一条；已办理的不再提醒。')}
        {quiet.from !== quiet.until &&
          t('{{from}}至{{until}}免打扰，其间到期的改到结束时发送，来不及的在开始前发送。', quiet)}
      </Typography.Text>
      {isArchived && <Alert type="info" title={t('考试已归档，只能查看')} />}
      {missing.length > 0 && (
        <Alert
          type="warning"
          showIcon
          message={t('{{n}} 项要发短信的提醒还没有模板，只进站内消息。', { n: missing.length })}
          action={<Link to="/resource/sms">{t('短信配置')}</Link>}
        />
      )}
      <StackedTable<ReminderPlan>
        rowKey="code"
        rows={reminders}
        width={900}
        columns={[
          {
            title: t('提醒事项'),
            render: (_, one) => (
              <Flex vertical>
                <span>{one.label}</span>
                <Typography.Text type="secondary" style={{ fontWeight: 400 }}>
                  {one.text}
                </Typography.Text>
              </Flex>
            ),
          },
          { title: t('时间'), width: 190, render: (_, one) => <When of={one} /> },
          { title: t('下次提醒'), width: 130, render: (_, one) => one.next.slice(0, 16) || '-' },
          { title: t('现有待办'), width: 84, dataIndex: 'people' },
          { title: t('短信'), width: 84, render: (_, one) => <By of={one} {...place} channel="sms" /> },
          { title: t('微信'), width: 84, render: (_, one) => <By of={one} {...place} channel="wechat" /> },
          { title: t('启用'), width: 70, render: (_, one) => <Use of={one} {...place} /> },
          {
            title: t('操作'),
            width: 80,
            render: (_, one) => (
              <Button
                type="link"
                size="small"
                disabled={isArchived}
                aria-label={t('修改{{name}}', { name: one.label })}
                onClick={() => change(one)}
              >
                {t('修改')}
              </Button>
            ),
          },
        ]}
      />
      {changing && <PlanDialog key={changing.code} of={changing} examId={examId} close={() => change(undefined)} />}
    </Flex>
  )
}

/** What people are reminded of in an exam, when and how. */
export default function RemindersPage(): ReactNode {
  const chosen = useExam()
  const { examId } = chosen
  const [isPreset, setPreset] = useState(false)
  const place = isPreset ? undefined : examId
  const plans = useEndpoint(reminderPlans, place === undefined ? {} : { examId: place }, { enabled: examId !== '' })
  return (
    <Card>
      <Flex vertical gap={16}>
        <ExamPicker chosen={chosen}>
          {(isPreset || plans.data?.mayPreset) && <PresetSwitch isPreset={isPreset} onChange={setPreset} />}
        </ExamPicker>
        {examId === '' && <ChooseExam chosen={chosen} />}
        {examId !== '' && plans.isPending && <PageSkeleton />}
        {plans.error && <NoAnswer error={plans.error} />}
        {plans.data && <Plans key={place ?? ''} plans={plans.data} examId={place} />}
      </Flex>
    </Card>
  )
}
