import { Alert, Card, Flex, Statistic, Steps, Typography } from 'antd'
import { Link } from 'react-router-dom'
import { ReleaseStatus } from '#schemas/dictionaries/administration'
import { SeatStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../screens/may.ts'
import { useMayOpen } from '../../../screens/may-open.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { usePlaceRow } from '../../../screens/workspace/place.ts'
import { ChooseExam, ExamPicker, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import { type StageInfo, seatingPlan, seatingStages } from '../contract.ts'
import { AllotTools } from './AllotTools.tsx'
import { PrintMenu } from './PrintMenu.tsx'
import { RoomGrid } from './RoomGrid.tsx'
import { RoomSheet, SeatSheet } from './RoomSheet.tsx'

/** How far a stage is, from rooms to tickets. */
const stepOf = ({ rooms, seatStatus, ticketRelease }: StageInfo) =>
  ticketRelease === ReleaseStatus.released
    ? 5
    : seatStatus === SeatStatus.locked
      ? 3
      : seatStatus === SeatStatus.draft
        ? 2
        : rooms
          ? 1
          : 0

function Figures({ stage }: { stage: StageInfo }) {
  const t = useT()
  const lacking = stage.people > stage.capacity
  return (
    <Flex wrap gap={32}>
      <Statistic title={t('有效考生')} value={stage.people} />
      <Statistic title={t('考场')} value={stage.rooms} />
      <Statistic
        title={t('可用座位')}
        value={stage.capacity}
        styles={lacking ? { content: { color: 'var(--jx-bad)' } } : undefined}
      />
      <Statistic title={t('未完成审核、核减或缴费')} value={stage.open + stage.moving} />
    </Flex>
  )
}

/** Leads to the list of those who keep the seats from being drawn, each with the reason. */
function WaitingLink({ examId }: { examId: string }) {
  const t = useT()
  const mayOpen = useMayOpen()
  const inPlace = usePlaceRow('examination') === examId
  const address = `${inPlace ? `/exam/${examId}/signups?` : `/examine/signup?examId=${examId}&`}chip=不能编排`
  return mayOpen(address) && <Link to={address}>{t('看名单')}</Link>
}

function Plan({ itemId, examId }: { itemId: string; examId: string }) {
  const t = useT()
  const info = useEndpoint(seatingPlan, { itemId })
  const mayMove = useCanChange('allot_act')
  if (info.isPending) return <PageSkeleton />
  if (!info.data) return <NoAnswer error={info.error} />
  const { stage, plan, rooms } = info.data
  const waiting = stage.open + stage.moving
  return (
    <Flex vertical gap={16}>
      <Steps
        size="small"
        current={stepOf(stage)}
        items={['导入考点考场', '编排座位', '核对调整', '锁定', '发布准考证'].map(title => ({ title: t(title) }))}
      />
      <Card>
        <Figures stage={stage} />
      </Card>
      {waiting > 0 && stage.seatStatus < SeatStatus.locked && (
        <Alert
          type="warning"
          showIcon
          title={t('还有 {{n}} 人审核、核减或缴费未完成，完成后才能编排。', { n: waiting })}
          action={<WaitingLink examId={examId} />}
        />
      )}
      {stage.people > stage.capacity && stage.seatStatus < SeatStatus.locked && (
        <Alert
          type="error"
          showIcon
          title={t('座位不足：需 {{n}}，可用 {{m}}', { n: stage.people, m: stage.capacity })}
        />
      )}
      <Flex wrap gap={8}>
        {stage.seatStatus < SeatStatus.locked && <RoomSheet itemId={itemId} />}
        {stage.rooms > 0 && <SeatSheet itemId={itemId} locked={stage.seatStatus === SeatStatus.locked} />}
        {stage.seatStatus === SeatStatus.locked && <PrintMenu id={itemId} />}
        <AllotTools stage={stage} />
      </Flex>
      {plan && (
        <Typography.Text type="secondary">
          {plan.strategy === 0 ? (
            t('座位由表格导入')
          ) : (
            <>
              {t('随机种子')}{' '}
              <Typography.Text code copyable>
                {plan.seed}
              </Typography.Text>
            </>
          )}{' '}
          · {plan.time} · {t('{{n}} 人', { n: plan.total })}
          {plan.conflicts > 0 && ` · ${t('同岗位相邻 {{n}} 处', { n: plan.conflicts })}`}
        </Typography.Text>
      )}
      {rooms.length ? (
        <RoomGrid
          itemId={itemId}
          rooms={rooms}
          movable={mayMove && stage.seatStatus === SeatStatus.draft}
          snake={plan !== '' && plan.options.snake === true}
        />
      ) : (
        <Nothing picture="chair" text={t('还没有考场，请先下载模板填写后导入')} />
      )}
    </Flex>
  )
}

/** Seats of an exam's stages: rooms in, seats drawn, checked, locked, tickets out. */
export default function SeatingPage() {
  const t = useT()
  const chosen = useExam()
  const { examId, isPending } = chosen
  const stages = useEndpoint(seatingStages, { examId }, { enabled: examId !== '' })
  const itemId = chosen.itemId || (stages.data?.[0]?.itemId ?? '')
  return (
    <Flex vertical gap={16}>
      <ExamPicker chosen={chosen} stages={stages.data} itemId={itemId} />
      {isPending && <PageSkeleton />}
      {!examId && <ChooseExam chosen={chosen} />}
      {examId && stages.data?.length === 0 && <Nothing picture="chair" text={t('该考试没有需要编排座位的项目')} />}
      {itemId && <Plan itemId={itemId} examId={examId} />}
    </Flex>
  )
}
