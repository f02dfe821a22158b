import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call, saveFile } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../screens/may.ts'
import { type StageBook, StageSheet } from '../../exams/pages/parts/StageSheet.tsx'
import { importRooms, importSeats, roomBook, seatBook, seatingPlan } from '../contract.ts'

interface Sheet {
  itemId: string
  /** The calls that give and take the workbook. */
  give: typeof roomBook | typeof seatBook
  take: typeof importRooms | typeof importSeats
  giveLabel: string
  takeLabel: string
  /** Beside the button that downloads the sheet. */
  hint: string
  /** What came of it, with `{{ok}}` and `{{bad}}`. */
  done: string
  /** Nothing can be imported now. */
  fixed?: boolean
}

/** A workbook to fill in and to send back. */
function SheetButtons({ itemId, give, take, giveLabel, takeLabel, hint, done, fixed }: Sheet) {
  const t = useT()
  const client = useQueryClient()
  const [isTaking, setTaking] = useState(false)
  const save = () => saveFile(give, { itemId })
  const send: StageBook['take'] = (file, mode, options) => call(take, { itemId, mode }, { ...options, files: { file } })
  return (
    <>
      <Button icon={<DownloadOutlined aria-hidden />} onClick={() => save().catch(() => undefined)}>
        {t(giveLabel)}
      </Button>
      {!fixed && (
        <Button icon={<UploadOutlined aria-hidden />} onClick={() => setTaking(true)}>
          {t(takeLabel)}
        </Button>
      )}
      {isTaking && (
        <StageSheet
          give={save}
          take={send}
          title={takeLabel}
          hint={hint}
          done={done}
          onDone={() => void client.invalidateQueries({ queryKey: [seatingPlan.path] })}
          onClose={() => setTaking(false)}
        />
      )}
    </>
  )
}

/** Sites and rooms of a stage from a workbook. */
export function RoomSheet({ itemId }: { itemId: string }) {
  return (
    <SheetButtons
      itemId={itemId}
      give={roomBook}
      take={importRooms}
      giveLabel={'下载模板'}
      takeLabel={'导入考点考场'}
      hint="模板已填好本项目的考场"
      done="导入 {{ok}} 个考场，有误 {{bad}} 行"
    />
  )
}

/** Who sits where as a workbook: to look at, and to bring in seats made elsewhere. */
export function SeatSheet({ itemId, locked }: { itemId: string; locked: boolean }) {
  const mayAct = useCanChange('allot_act')
  return (
    <SheetButtons
      itemId={itemId}
      give={seatBook}
      take={importSeats}
      giveLabel={'导出座位表'}
      takeLabel={'导入座位表'}
      hint="模板已填好本项目的考生"
      done="导入 {{ok}} 个座位，有误 {{bad}} 行"
      fixed={locked || !mayAct}
    />
  )
}
