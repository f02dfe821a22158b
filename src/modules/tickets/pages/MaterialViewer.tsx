import { Button, Drawer, Flex, Typography } from 'antd'
import { callOf } from '#engine'
import { ticketnotice } from '#resources/tickets/ticketnotice'
import { PicState } from '#schemas/dictionaries/exam'
import { type TicketPicture, ticketPictureNames, ticketPictures } from '#schemas/tickets/ticket-pictures'
import { useT } from '../../../platform/i18n/i18n.ts'
import { AuthImage } from '../../../screens/fields/AuthImage.tsx'
import { DictText } from '../../../screens/fields/DictText.tsx'
import { ReasonButton } from '../../../screens/parts/ReasonButton.tsx'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { type DownRow, downloadList } from '../contract.ts'

const stale = [downloadList]

type Shown = Pick<DownRow, 'id' | 'name' | 'ticketNo' | TicketPicture | 'picLabels' | 'picState' | 'picRemark'>

/** Whether somebody has handed pictures in. */
export const hasPictures = (row: Pick<DownRow, TicketPicture>): boolean => ticketPictureNames.some(slot => row[slot])

interface Props {
  rows: readonly Shown[]
  /** Whose pictures are shown. */
  id: string
  mayCheck: boolean
  /** Goes to another row, or away. */
  onMove: (id: string | undefined) => void
}

/** The pictures a candidate handed in, one person after the other, with the decision. */
export function MaterialViewer({ rows, id, mayCheck, onMove }: Props) {
  const t = useT()
  const pass = useSend(callOf(ticketnotice, 'picPass'), { stale })
  const fail = useSend(callOf(ticketnotice, 'picFail'), { stale })
  const shown = rows.filter(hasPictures)
  const at = shown.findIndex(row => row.id === id)
  const row = shown[at]
  const next = shown[at + 1]?.id
  const decided = () => onMove(next)
  if (!row) return null
  const own = row.picLabels === '' ? {} : row.picLabels
  return (
    <Drawer
      open
      size="min(720px, 100vw)"
      title={`${row.name} ${row.ticketNo}`}
      onClose={() => onMove(undefined)}
      footer={
        <Flex gap={8} wrap>
          <Button disabled={at <= 0} onClick={() => onMove(shown[at - 1]?.id)}>
            {t('上一个')}
          </Button>
          <Button disabled={!next} onClick={() => onMove(next)}>
            {t('下一个')}
          </Button>
          <span style={{ flex: 1 }} />
          {mayCheck && (row.picState === PicState.uploaded || row.picState === PicState.verified) && (
            <ReasonButton
              danger
              label="不合格"
              placeholder="请写明哪里不合格，考生会看到"
              kept={{ form: 'ticketnotice/fail', rowId: row.id }}
              busy={fail.isPending}
              run={reason => fail.mutateAsync({ ids: row.id, picRemark: reason }).then(decided)}
            />
          )}
          {mayCheck && (row.picState === PicState.uploaded || row.picState === PicState.rejected) && (
            <Button
              type="primary"
              loading={pass.isPending}
              onClick={() => pass.mutateAsync({ ids: row.id }).then(decided, () => undefined)}
            >
              {t('合格')}
            </Button>
          )}
        </Flex>
      }
    >
      <p>
        {t('材料状态')}：<DictText code="pic_state" value={row.picState} />
        {row.picRemark && `（${row.picRemark}）`}
      </p>
      <Flex wrap gap={16}>
        {ticketPictureNames.map(slot => {
          const attach = row[slot]
          if (!attach) return null
          const title = own[slot] || t(ticketPictures[slot])
          return (
            <figure key={slot} style={{ margin: 0 }}>
              <AuthImage id={attach} alt={title} width={200} height={360} />
              <figcaption>
                <Typography.Text type="secondary">{title}</Typography.Text>
              </figcaption>
            </figure>
          )
        })}
      </Flex>
    </Drawer>
  )
}
