import { DownloadOutlined } from '@ant-design/icons'
import { Button, Flex, Input, Result, Table, Tabs } from 'antd'
import { useState } from 'react'
import { DictText } from '../../fields/DictText.tsx'
import { useT } from '../../i18n.ts'
import { useCan } from '../../providers/rights.ts'
import { download } from '../../transfer.ts'
import { useRead } from '../use-call.ts'
import type { Reader, ReaderCounts, ReaderList } from './types.ts'

const base = '/blade-noticeRead/noticeread'

const labels = { total: '全部', unread: '未读', read: '已读', sure: '已确认', unsure: '未确认' } as const
type Part = keyof typeof labels

function columnsOf(t: ReturnType<typeof useT>) {
  return [
    { title: t('姓名'), dataIndex: 'name', width: 140 },
    {
      title: t('身份'),
      dataIndex: 'userType',
      width: 120,
      render: (type: number) => t(type === 2 ? '考生' : '工作人员'),
    },
    {
      title: t('状态'),
      dataIndex: 'sureState',
      width: 120,
      render: (state: number) => <DictText code="sure_state" value={state} />,
    },
    { title: t('阅读时间'), dataIndex: 'readTime', width: 180 },
    { title: t('确认时间'), dataIndex: 'sureTime', width: 180 },
  ]
}

const tabsOf = (t: ReturnType<typeof useT>, counts: ReaderCounts | undefined) =>
  Object.entries(labels).map(([key, label]) => ({
    key,
    label: `${t(label)}${counts ? ` ${counts[key as Part]}` : ''}`,
  }))

/** The people a notice is for, with what each has done. */
export function ReaderTable({ noticeId }: { noticeId: string }) {
  const t = useT()
  const mayExport = useCan('noticeread_export')
  const [part, setPart] = useState<Part>('unread')
  const [name, setName] = useState('')
  const [place, setPlace] = useState({ current: 1, size: 10 })
  const state = part === 'total' ? {} : { state: part }
  const list = useRead<ReaderList>(`${base}/readerList`, { noticeId, ...state, ...(name && { name }), ...place })
  const first = () => setPlace({ ...place, current: 1 })
  const save = () =>
    download(`${base}/export`, { method: 'POST', params: { noticeId, ...state } }).catch(() => undefined)
  if (list.isError)
    return (
      <Result
        status="warning"
        title={t('没有取到数据')}
        extra={<Button onClick={() => void list.refetch()}>{t('重试')}</Button>}
      />
    )
  return (
    <>
      <Flex wrap gap={8} justify="space-between">
        <Input.Search
          allowClear
          style={{ width: 240 }}
          placeholder={t('姓名')}
          aria-label={t('姓名')}
          onSearch={value => {
            setName(value.trim())
            first()
          }}
        />
        {mayExport && (
          <Button icon={<DownloadOutlined />} onClick={() => void save()}>
            {t('导出')}
          </Button>
        )}
      </Flex>
      <Tabs
        activeKey={part}
        items={tabsOf(t, list.data?.counts)}
        onChange={key => {
          setPart(key as Part)
          first()
        }}
      />
      <Table<Reader>
        rowKey="userId"
        size="middle"
        loading={list.isFetching}
        dataSource={list.data?.records ?? []}
        columns={columnsOf(t)}
        scroll={{ x: 'max-content' }}
        pagination={{
          ...{ current: place.current, pageSize: place.size, total: list.data?.total ?? 0, showSizeChanger: true },
          pageSizeOptions: [10, 30, 50, 100, 200],
          onChange: (current, size) => setPlace({ current: size === place.size ? current : 1, size }),
        }}
      />
    </>
  )
}
