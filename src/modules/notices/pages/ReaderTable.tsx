import { DownloadOutlined } from '@ant-design/icons'
import { Button, Flex } from 'antd'
import type { ValuesOf } from '#engine'
import { UserType } from '#schemas/dictionaries/administration'
import { call, saveFile } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictText } from '../../../screens/fields/DictText.tsx'
import { type CountedColumn, CountedTable } from '../../../screens/parts/CountedTable.tsx'
import { useCan } from '../../../screens/providers/rights.ts'
import { exportReaders, type Reader, type ReaderKind, readerList } from '../contract.ts'
import { RemindButton } from './RemindButton.tsx'

/** The readers by kind. */
const kinds = [
  { label: '未读', query: { state: 'unread' }, count: 'unread' },
  { label: '已读', query: { state: 'read' }, count: 'read' },
  { label: '已确认', query: { state: 'sure' }, count: 'sure' },
  { label: '未确认', query: { state: 'unsure' }, count: 'unsure' },
  { label: '全部', query: {}, count: 'total' },
] as const

function columnsOf(t: ReturnType<typeof useT>): CountedColumn<Reader>[] {
  return [
    { title: t('姓名'), dataIndex: 'name', width: 140 },
    {
      title: t('身份'),
      dataIndex: 'userType',
      width: 120,
      render: (type: number) => t(type === UserType.candidate ? '考生' : '工作人员'),
    },
    {
      title: t('状态'),
      dataIndex: 'sureState',
      part: 'state',
      width: 120,
      render: (state: number) => <DictText code="sure_state" value={state} />,
    },
    { title: t('阅读时间'), dataIndex: 'readTime', width: 180 },
    { title: t('确认时间'), dataIndex: 'sureTime', width: 180 },
  ]
}

/** The people a notice is for, with what each has done. */
export function ReaderTable({ noticeId, needSure }: { noticeId: string; needSure: boolean }) {
  const t = useT()
  const mayExport = useCan('noticeread_export')
  const save = (filters: Omit<ValuesOf<typeof exportReaders>, 'noticeId'>) =>
    saveFile(exportReaders, { ...filters, noticeId }).catch(() => undefined)
  return (
    <CountedTable<Reader, ReaderKind, ValuesOf<typeof readerList>>
      path={readerList.path}
      read={(values, signal) => call(readerList, values, { signal })}
      query={{ noticeId }}
      kinds={kinds}
      rowKey="userId"
      columns={() => columnsOf(t)}
      empty={t('这条公告没有接收人')}
      tools={(filters, counts) => (
        <Flex wrap gap={8}>
          <RemindButton noticeId={noticeId} counts={counts} needSure={needSure} />
          {mayExport && (
            <Button icon={<DownloadOutlined aria-hidden />} onClick={() => void save(filters)}>
              {t('导出')}
            </Button>
          )}
        </Flex>
      )}
    />
  )
}
