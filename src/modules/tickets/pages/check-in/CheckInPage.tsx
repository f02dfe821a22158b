import { useQueryClient } from '@tanstack/react-query'
import { Alert, Card, Flex, Input, Select, Statistic } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ReleaseStatus } from '#schemas/dictionaries/administration'
import { serverNow, timeOf } from '../../../../platform/http/browser/clock.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../../screens/may.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { usePlaceRow } from '../../../../screens/workspace/place.ts'
import { checkInRooms, checkInStages, type Stage } from '../../check-in/contract.ts'
import './checkin.css'
import { Nothing } from '../../../../screens/parts/Nothing.tsx'
import { KeptRooms } from './KeptRooms.tsx'
import { RehearsalNote } from './RehearsalNote.tsx'
import { type Opening, RoomCard } from './RoomCard.tsx'

/** Why the rosters of a stage cannot be opened now; null when they can. */
function barOf({ ticketRelease, openFrom, openUntil }: Stage, t: ReturnType<typeof useT>): string | null {
  if (serverNow() >= timeOf(openUntil))
    return t('签到已结束（{{time}}），名单不再开放。', { time: openUntil.slice(0, 16) })
  if (ticketRelease !== ReleaseStatus.released) return t('准考证尚未发布，发布后才能打开名单。请联系考务管理员。')
  return serverNow() < timeOf(openFrom)
    ? t('名单在开考前 24 小时（{{time}}）开放，请届时在有网络的地方打开一次。', { time: openFrom.slice(0, 16) })
    : null
}

/** What the rosters of a stage can be opened for: before the check-in there are rehearsals, as soon as the tickets are out. */
function openingOf({ ticketRelease, openFrom, openUntil }: Stage): Opening {
  if (ticketRelease !== ReleaseStatus.released || serverNow() >= timeOf(openUntil)) return null
  return serverNow() < timeOf(openFrom) ? 'rehearsal' : 'checkin'
}

/** The stage a proctor most likely means: the one that is open, else the next one, else the latest. */
function likely(stages: readonly Stage[]): Stage | undefined {
  const now = serverNow()
  const ahead = stages.filter(one => timeOf(one.openUntil) > now)
  return ahead.toSorted((a, b) => timeOf(a.startTime) - timeOf(b.startTime))[0] ?? stages[0]
}

function Figures({ stage }: { stage: Stage }) {
  const t = useT()
  const { people, arrived, absent, breach } = stage
  return (
    <Flex wrap gap={32}>
      <Statistic title={t('应到')} value={people} />
      <Statistic title={t('到考')} value={arrived} />
      <Statistic title={t('缺考')} value={absent} />
      <Statistic title={t('违纪')} value={breach} />
      <Statistic title={t('未登记')} value={people - arrived - absent - breach} />
    </Flex>
  )
}

function Rooms({ stage }: { stage: Stage }) {
  const t = useT()
  const [text, setText] = useState('')
  const rooms = useEndpoint(checkInRooms, { itemId: stage.itemId })
  const bar = barOf(stage, t)
  const open = openingOf(stage)
  if (rooms.isPending) return <PageSkeleton />
  if (!rooms.data) return <NoAnswer error={rooms.error} />
  const asked = text.trim()
  const shown = rooms.data.filter(({ roomNo, roomName, schoolName, proctors }) =>
    [roomNo, roomName, schoolName, ...proctors.map(one => one.name)].some(word => word.includes(asked)),
  )
  return (
    <>
      {bar && <Alert type="info" showIcon title={bar} />}
      {open === 'rehearsal' && <RehearsalNote stage={stage} />}
      {rooms.data.length > 6 && (
        <Input.Search
          allowClear
          style={{ maxWidth: 360 }}
          placeholder={t('考场号、考点或监考员')}
          aria-label={t('考场号、考点或监考员')}
          onChange={event => setText(event.target.value)}
        />
      )}
      {shown.length === 0 && <Nothing picture="magnifier" text={t('没有符合的考场')} />}
      <div className="checkin-rooms">
        {shown.map(room => (
          <RoomCard key={room.roomId} itemId={stage.itemId} room={room} open={open} />
        ))}
      </div>
    </>
  )
}

/** Milliseconds between two looks at the totals: people are noted at all doors at once. */
const EVERY = 30_000

/** Reads the totals again and again while the page is looked at. */
function useFresh(): void {
  const client = useQueryClient()
  useEffect(() => {
    const turn = (): void => {
      if (document.visibilityState !== 'visible') return
      for (const { path } of [checkInStages, checkInRooms]) void client.invalidateQueries({ queryKey: [path] })
    }
    const timer = setInterval(turn, EVERY)
    return () => clearInterval(timer)
  }, [client])
}

/** The check-in of a stage: the person's rooms with their totals, and the way to each door. */
export default function CheckInPage() {
  const t = useT()
  useFresh()
  const here = usePlaceRow('examination')
  const appoints = useCanChange('checkin_appoint')
  const [params, setParams] = useSearchParams()
  const stages = useEndpoint(checkInStages, {})
  if (stages.isPending) return <PageSkeleton />
  if (!stages.data) return <KeptRooms onRetry={() => void stages.refetch()} />
  const known = here ? stages.data.filter(one => one.examId === here) : stages.data
  const stage = known.find(one => one.itemId === params.get('itemId')) ?? likely(known)
  if (!stage) {
    const why = appoints
      ? t('还没有考场。导入考点考场、编排座位并发布准考证后，在这里安排监考和查看签到。')
      : t('还没有安排给您的考场，请联系考务管理员。')
    return (
      <Card>
        <Nothing picture="magnifier" text={why} />
      </Card>
    )
  }
  return (
    <Flex vertical gap={16}>
      <Card>
        <Flex vertical gap={16}>
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            style={{ width: 480, maxWidth: '100%' }}
            aria-label={t(here ? '考试项目' : '考试')}
            value={stage.itemId}
            options={known.map(one => ({
              value: one.itemId,
              label: here ? one.itemName : `${one.examName} · ${one.itemName}`,
            }))}
            onChange={itemId => setParams({ itemId }, { replace: true })}
          />
          <Figures stage={stage} />
        </Flex>
      </Card>
      <Rooms key={stage.itemId} stage={stage} />
    </Flex>
  )
}
