import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { ApiError } from '../../http.ts'
import { useT } from '../../i18n.ts'
import { useCan } from '../../providers/rights.ts'
import { type WrongRow, WrongRows } from '../../screens/WrongRows.tsx'
import { download, upload } from '../../transfer.ts'
import { SheetUpload } from '../SheetUpload.tsx'

const base = '/blade-exam/examination'

interface Imported {
  okNum: number
  errNum: number
  rows: WrongRow[]
}

interface Sheet {
  itemId: string
  /** Calls below the exam service that give and take the workbook. */
  give: string
  take: string
  giveLabel: string
  takeLabel: string
  /** Said when all rows are in, with `{{n}}`. */
  done: string
  /** Nothing can be imported now. */
  fixed?: boolean
}

/** A workbook to fill in and to send back; what is wrong with it is said row by row. */
function SheetButtons({ itemId, give, take, giveLabel, takeLabel, done, fixed }: Sheet) {
  const t = useT()
  const client = useQueryClient()
  const { message, modal } = App.useApp()
  async function send(file: File): Promise<void> {
    const form = new FormData()
    form.append('itemId', itemId)
    form.append('mode', '1')
    form.append('file', file)
    try {
      const { okNum } = await upload<Imported>(`${base}/${take}`, form, { pass: [28006] })
      message.success(t(done, { n: okNum }))
      await client.invalidateQueries({ queryKey: [`${base}/getAllotInfo`] })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 28006) return
      const { rows } = error.data as Imported
      const title = t('有 {{n}} 处错误，未导入', { n: rows.length })
      modal.error({ width: 640, title, content: <WrongRows rows={rows} /> })
    }
  }
  return (
    <>
      <Button
        icon={<DownloadOutlined />}
        onClick={() => download(`${base}/${give}`, { params: { itemId } }).catch(() => undefined)}
      >
        {t(giveLabel)}
      </Button>
      {!fixed && (
        <SheetUpload icon={<UploadOutlined />} take={send}>
          {t(takeLabel)}
        </SheetUpload>
      )}
    </>
  )
}

/** Sites and rooms of a stage from a workbook. */
export function RoomSheet({ itemId }: { itemId: string }) {
  return (
    <SheetButtons
      {...{ itemId, give: 'getSchoolExcel', take: 'importSchool', giveLabel: '下载模板', takeLabel: '导入考点考场' }}
      done="已导入 {{n}} 个考场"
    />
  )
}

/** Who sits where as a workbook: to look at, and to bring in seats made elsewhere. */
export function SeatSheet({ itemId, locked }: { itemId: string; locked: boolean }) {
  const mayAct = useCan('allot_act')
  return (
    <SheetButtons
      {...{ itemId, give: 'exportTicketExcel', take: 'importTicket', giveLabel: '导出座位表', takeLabel: '导入座位表' }}
      done="已导入 {{n}} 个座位"
      fixed={locked || !mayAct}
    />
  )
}
