import { BellOutlined, DownloadOutlined } from '@ant-design/icons'
import { App, Button, Flex } from 'antd'
import { callOf, type ValuesOf } from '#engine'
import { ticketnotice } from '#resources/tickets/ticketnotice'
import { saveFile } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../screens/may.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { downloadBook } from '../contract.ts'

interface Props {
  examId: string
  itemId: string
  /** What the list is filtered by; the workbook holds the same rows. */
  filters: ValuesOf<typeof downloadBook>
  /** How many have not downloaded. */
  missing: number
}

/** A reminder to those who have not downloaded, and the list as a workbook. */
export function DownTools({ examId, itemId, filters, missing }: Props) {
  const t = useT()
  const { modal, message } = App.useApp()
  const [mayRemind, mayExport] = [useCanChange('ticketnotice_remind'), useCan('ticketnotice_export')]
  const remind = useSend(callOf(ticketnotice, 'remind'), { done: false })
  const ask = () =>
    modal.confirm({
      title: t('提醒未下载'),
      content: t('通知只发给该项目还没有下载准考证的考生，下载后自动消失。'),
      onOk: () =>
        remind.mutateAsync({ examId, itemId }).then(
          ({ num }) => void message.success(t('已提醒 {{n}} 人', { n: num })),
          () => undefined,
        ),
    })
  return (
    <Flex wrap gap={8}>
      {mayRemind && (
        <Button icon={<BellOutlined aria-hidden />} disabled={missing === 0} onClick={ask}>
          {t('提醒未下载')}
        </Button>
      )}
      {mayExport && (
        <Button
          icon={<DownloadOutlined aria-hidden />}
          onClick={() => saveFile(downloadBook, filters).catch(() => undefined)}
        >
          {t('导出')}
        </Button>
      )}
    </Flex>
  )
}
