import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Table, Upload } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../http.ts'
import { useT } from '../../i18n.ts'
import { download, upload } from '../../transfer.ts'

const base = '/blade-exam/examination'

interface Problem {
  row: number
  column: string
  msg: string
}

interface Imported {
  okNum: number
  errNum: number
  rows: Problem[]
}

/** Rooms from a workbook: the sheet to fill in, and what is wrong with a filled one, row by row. */
export function RoomSheet({ itemId }: { itemId: string }) {
  const t = useT()
  const client = useQueryClient()
  const { message, modal } = App.useApp()
  const [busy, setBusy] = useState(false)
  const tell = (rows: readonly Problem[]) =>
    modal.error({
      width: 640,
      title: t('有 {{n}} 处错误，未导入', { n: rows.length }),
      content: (
        <Table<Problem>
          size="small"
          rowKey={row => `${row.row}-${row.column}-${row.msg}`}
          dataSource={[...rows]}
          pagination={{ pageSize: 10, hideOnSinglePage: true }}
          columns={[
            { title: t('行'), dataIndex: 'row', width: 70 },
            { title: t('列'), dataIndex: 'column', width: 120 },
            { title: t('原因'), dataIndex: 'msg' },
          ]}
        />
      ),
    })
  async function take(file: File): Promise<void> {
    const form = new FormData()
    form.append('itemId', itemId)
    form.append('mode', '1')
    form.append('file', file)
    setBusy(true)
    try {
      const { okNum } = await upload<Imported>(`${base}/importSchool`, form, { pass: [28006] })
      message.success(t('已导入 {{n}} 个考场', { n: okNum }))
      await client.invalidateQueries({ queryKey: [`${base}/getAllotInfo`] })
    } catch (error) {
      if (error instanceof ApiError && error.code === 28006) tell((error.data as Imported).rows)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        icon={<DownloadOutlined />}
        onClick={() => download(`${base}/getSchoolExcel`, { params: { itemId } }).catch(() => undefined)}
      >
        {t('下载模板')}
      </Button>
      <Upload
        accept=".xlsx"
        showUploadList={false}
        beforeUpload={file => {
          void take(file)
          return false
        }}
      >
        <Button icon={<UploadOutlined />} loading={busy}>
          {t('导入考点考场')}
        </Button>
      </Upload>
    </>
  )
}
