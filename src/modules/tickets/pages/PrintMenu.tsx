import { PrinterOutlined } from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import { useState } from 'react'
import { saveFile } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { ticketPapers } from '../contract.ts'
import { Paper } from '../rules/paper.ts'

/** What can be printed, by the type of the call. */
const papers = {
  [Paper.tickets]: '准考证',
  [Paper.doorLists]: '考场门贴',
  [Paper.signInSheets]: '考生签到表',
  [Paper.seatLabels]: '座位标签',
  [Paper.roster]: '考生名册',
} as const

type PaperKey = keyof typeof papers

interface Props {
  /** A stage, or one of its rooms. */
  id: string
  size?: 'small'
}

/** The papers of a stage or a room: tickets, door lists, sign-in sheets, labels, roster. */
export function PrintMenu({ id, size }: Props) {
  const t = useT()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const mayPrint = useCan('examinationticket_export')
  if (!mayPrint) return null
  const save = async (type: string): Promise<void> => {
    setBusy(true)
    const close = message.loading(t('正在生成，完成后自动下载'), 0)
    await saveFile(ticketPapers, { id, type: Number(type) as PaperKey }).catch(() => undefined)
    close()
    setBusy(false)
  }
  const items = Object.entries(papers).map(([key, label]) => ({ key, label: t(label) }))
  return (
    <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => void save(key) }}>
      <Button icon={<PrinterOutlined aria-hidden />} loading={busy} size={size}>
        {t('打印')}
      </Button>
    </Dropdown>
  )
}
