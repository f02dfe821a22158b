import { App, Card, Tag, Typography } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { type Seat, type SeatingRoom, seatingPlan, swapSeats } from '../contract.ts'
import { PrintMenu } from './PrintMenu.tsx'
import './rooms.css'

interface Place {
  roomId: string
  seatNo: number
}

/** One place of a room: its number, and who sits there. Dropping somebody on it, or choosing the person first and then the place, moves the person. */
function Cell({
  no,
  seat,
  chosen,
  onPick,
  movable,
}: {
  no: number
  seat: Seat | undefined
  chosen: boolean
  onPick: (from?: string) => void
  movable: boolean
}) {
  const t = useT()
  const words = seat ? `${no} ${seat.name}` : `${no} ${t('空')}`
  const inner = (
    <>
      {no}
      {seat && (
        <>
          <div>{seat.name}</div>
          <small>
            {seat.unit}-{seat.code}
          </small>
        </>
      )}
    </>
  )
  if (!movable)
    return (
      <div className="seat" data-free={seat ? undefined : true} title={seat?.ticketNo || seat?.signNo}>
        {inner}
      </div>
    )
  return (
    <button
      type="button"
      className="seat"
      aria-label={words}
      aria-pressed={chosen}
      data-free={seat ? undefined : true}
      data-chosen={chosen || undefined}
      draggable={seat !== undefined}
      onDragStart={event => seat && event.dataTransfer.setData('text/plain', seat.signupId)}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        onPick(event.dataTransfer.getData('text/plain'))
      }}
      onClick={() => onPick()}
    >
      {inner}
    </button>
  )
}

/** Where an empty seat stands: column after column, in a snake every second one from back to front. */
function placeOf(no: number, rows: number, snake: boolean) {
  const column = Math.floor((no - 1) / rows)
  const step = (no - 1) % rows
  return { gridColumn: column + 1, gridRow: snake && column % 2 === 1 ? rows - step : step + 1 }
}

interface Props {
  itemId: string
  rooms: readonly SeatingRoom[]
  /** True while the plan is a draft. */
  movable: boolean
  snake: boolean
}

/** Rooms as they stand, seat by seat; in a draft people can change places. */
export function RoomGrid({ itemId, rooms, movable, snake }: Props) {
  const t = useT()
  const { message } = App.useApp()
  const [params] = useSearchParams()
  const asked = params.get('roomId')
  const shown = useRef<HTMLDivElement>(null)
  // Who comes for one room looks at that.
  useEffect(() => shown.current?.scrollIntoView?.({ block: 'start' }), [])
  const [chosen, setChosen] = useState<string>()
  const swap = useSend(swapSeats, { stale: [seatingPlan], done: false })
  const move = (signupId: string, place: Place, seat: Seat | undefined) => {
    setChosen(undefined)
    // Who was seen there goes along: somebody else may have moved people meanwhile.
    swap.mutate({ itemId, signupId, ...place, seen: seat?.signupId ?? '' })
  }
  const pick = (place: Place, seat: Seat | undefined, dropped?: string) => {
    const who = dropped || chosen
    if (who && who !== seat?.signupId) return move(who, place, seat)
    if (who) return setChosen(undefined)
    if (!seat) return void message.info(t('请先选择要移动的考生'))
    setChosen(seat.signupId)
  }
  return (
    <div className="rooms" aria-busy={swap.isPending}>
      {rooms.map(room => {
        const taken = new Map(room.seats.map(seat => [seat.seatNo, seat]))
        const at = (no: number) => placeOf(no, room.rows, snake)
        return (
          <Card
            key={room.roomId}
            ref={room.roomId === asked ? shown : undefined}
            className={room.roomId === asked ? 'room-asked' : undefined}
            size="small"
            title={
              <>
                {room.roomNo}{' '}
                <Typography.Text type="secondary">
                  {room.schoolName} {room.roomName}
                </Typography.Text>
              </>
            }
            extra={
              <>
                {room.isSpecial === 1 && <Tag color="orange">{t('特殊')}</Tag>}
                {room.seats.length} / {room.capacity}{' '}
                {room.seats.some(seat => seat.ticketNo) && <PrintMenu id={room.roomId} size="small" />}
              </>
            }
          >
            <div className="seats" style={{ gridTemplateColumns: `repeat(${room.cols}, minmax(0, 1fr))` }}>
              {Array.from({ length: room.capacity }, (_, i) => i + 1).map(no => {
                const seat = taken.get(no)
                const where = seat ? { gridColumn: seat.col, gridRow: seat.row } : at(no)
                return (
                  <div key={no} style={{ ...where, display: 'grid' }}>
                    <Cell
                      no={no}
                      seat={seat}
                      movable={movable}
                      chosen={seat !== undefined && seat.signupId === chosen}
                      onPick={dropped => pick({ roomId: room.roomId, seatNo: no }, seat, dropped)}
                    />
                  </div>
                )
              })}
            </div>
          </Card>
        )
      })}
    </div>
  )
}
