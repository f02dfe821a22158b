import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { TicketDownType } from '#schemas/dictionaries/exam'
import { call, saveFile } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { noteDownload, type TicketLine, ticketPapers, ticketSheet } from '../../contract.ts'
import { Paper } from '../../rules/paper.ts'
import { TicketSheetView } from './TicketSheetView.tsx'

/** How a ticket was taken, for the register: printed here, or shown on the screen. */
const taken = { print: TicketDownType.print, screen: TicketDownType.view }

function register(itemId: string, type: 2 | 3): void {
  call(noteDownload, { itemId, type }, { pass: 'all' }).catch(() => undefined)
}

/** A ticket that may be had: shown on the screen, saved as PDF, printed. */
export function TicketView({ of }: { of: TicketLine }): ReactNode {
  const t = useT()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const sheet = useContract(ticketSheet, { id: of.ticketId }, { enabled: open })
  const show = (): void => {
    setOpen(true)
    register(of.itemId, taken.screen)
  }
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      await saveFile(ticketPapers, { id: of.ticketId, type: Paper.ticket })
    } catch {
      // The refusal has been shown.
    } finally {
      setBusy(false)
    }
  }
  const print = (): void => {
    register(of.itemId, taken.print)
    window.print()
  }
  return (
    <>
      <div className="my-actions">
        <Button
          type="primary"
          size="large"
          icon={<DownloadOutlined aria-hidden />}
          loading={busy}
          onClick={() => void save()}
        >
          {t('下载准考证')}
        </Button>
        {!open && (
          <Button size="large" onClick={show}>
            {t('在屏幕上查看')}
          </Button>
        )}
        {open && sheet.data && (
          <Button size="large" icon={<PrinterOutlined aria-hidden />} onClick={print}>
            {t('打印准考证')}
          </Button>
        )}
      </div>
      {open && <Loaded query={sheet}>{data => <TicketSheetView of={data} />}</Loaded>}
    </>
  )
}
