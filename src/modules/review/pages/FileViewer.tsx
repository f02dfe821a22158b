import {
  LeftOutlined,
  RedoOutlined,
  RightOutlined,
  UndoOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons'
import { Button, Flex, Segmented, Space, Typography } from 'antd'
import { useState } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import type { ReviewFile, ReviewInfo } from '../contract.ts'

interface View {
  at: number
  zoom: number
  turn: number
}

const start = { zoom: 1, turn: 0 }
const clamp = (value: number) => Math.min(5, Math.max(0.25, value))

/** The papers beside the form: pictures with zoom and rotation, PDFs in the browser's own viewer. */
export function FileViewer({ files, photoUrl }: { files: ReviewInfo['files']; photoUrl: string }) {
  const t = useT()
  const photo: ReviewFile[] = photoUrl
    ? [{ attachId: 'photo', name: t('证件照'), size: 0, ext: 'jpg', contentType: 'image/jpeg', url: photoUrl }]
    : []
  const papers = files.filter(one => one.fileCode !== 'photo')
  const all = [
    ...photo.map(file => ({ file, title: t('证件照') })),
    ...papers.flatMap(({ fileName, list }) =>
      list.map((file, i) => ({ file, title: list.length > 1 ? `${t(fileName)} ${i + 1}` : t(fileName) })),
    ),
  ]
  const [{ at, zoom, turn }, setView] = useState<View>({ at: all.length > 1 ? 1 : 0, ...start })
  const shown = all[at]
  if (!shown) return <Nothing picture="letter" text={t('没有上传材料')} />
  const show = (next: number) => setView({ at: (next + all.length) % all.length, ...start })
  const isPicture = shown.file.contentType.startsWith('image/')
  return (
    <Flex vertical gap={8} style={{ height: '100%', minHeight: 0 }}>
      <div style={{ overflowX: 'auto' }}>
        <Segmented
          value={at}
          onChange={value => show(Number(value))}
          options={all.map((one, i) => ({ value: i, label: one.title }))}
        />
      </div>
      <Flex justify="space-between" align="center" wrap gap={8}>
        <Typography.Text ellipsis type="secondary" style={{ maxWidth: 260 }}>
          {shown.file.name}
        </Typography.Text>
        <Space.Compact>
          <Button icon={<LeftOutlined aria-hidden />} aria-label={t('上一份材料')} onClick={() => show(at - 1)} />
          <Button
            disabled={!isPicture}
            icon={<ZoomOutOutlined aria-hidden />}
            aria-label={t('缩小')}
            onClick={() => setView({ at, turn, zoom: clamp(zoom / 1.25) })}
          />
          <Button disabled={!isPicture} onClick={() => setView({ at, ...start })}>
            {Math.round(zoom * 100)}%
          </Button>
          <Button
            disabled={!isPicture}
            icon={<ZoomInOutlined aria-hidden />}
            aria-label={t('放大')}
            onClick={() => setView({ at, turn, zoom: clamp(zoom * 1.25) })}
          />
          <Button
            disabled={!isPicture}
            icon={<UndoOutlined aria-hidden />}
            aria-label={t('向左旋转')}
            onClick={() => setView({ at, zoom, turn: turn - 90 })}
          />
          <Button
            disabled={!isPicture}
            icon={<RedoOutlined aria-hidden />}
            aria-label={t('向右旋转')}
            onClick={() => setView({ at, zoom, turn: turn + 90 })}
          />
          <Button icon={<RightOutlined aria-hidden />} aria-label={t('下一份材料')} onClick={() => show(at + 1)} />
        </Space.Compact>
      </Flex>
      <div
        className="viewer"
        onWheel={event => event.ctrlKey && setView({ at, turn, zoom: clamp(zoom * (event.deltaY < 0 ? 1.1 : 0.9)) })}
      >
        {isPicture ? (
          <img
            src={shown.file.url}
            alt={shown.title}
            style={{ width: `${zoom * 100}%`, maxWidth: 'none', transform: `rotate(${turn}deg)` }}
          />
        ) : (
          <iframe title={shown.title} src={shown.file.url} style={{ width: '100%', height: '100%', border: 0 }} />
        )}
      </div>
    </Flex>
  )
}
