import { Alert, Button, Drawer, Form, Input, Space } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { type NoScan, scanWith } from './camera.ts'

const words: Record<NoScan, string> = {
  insecure: '当前网址不是 https，浏览器不允许使用摄像头。请输入座位号或准考证号。',
  unable: '此浏览器不能识别二维码。请输入座位号或准考证号，或改用手机自带的浏览器。',
  refused: '没有使用摄像头的权限。请在浏览器设置中允许，或输入座位号、准考证号。',
}

interface Props {
  /** The text of a code, or what was typed. */
  onRead: (text: string) => void
  onClose: () => void
}

/** The picture of the camera. It stands in the drawer, whose content appears later than the drawer itself. */
function Camera({ onRead, onFail }: { onRead: (text: string) => void; onFail: (why: NoScan) => void }) {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const seen = useEffectEvent(onRead)
  const fail = useEffectEvent(onFail)
  useEffect(() => {
    const ending = new AbortController()
    scanWith(video.current as HTMLVideoElement, ending.signal).then(
      text => text !== null && seen(text),
      (error: Error) => ending.signal.aborted || fail(error.message as NoScan),
    )
    return () => ending.abort()
  }, [])
  return (
    <video ref={video} className="door-video" muted playsInline aria-label={t('摄像头画面')}>
      <track kind="captions" />
    </video>
  )
}

/** The camera, and the keyboard for where there is none. */
export function Scanner({ onRead, onClose }: Props) {
  const t = useT()
  const [why, setWhy] = useState<NoScan>()
  return (
    <Drawer
      open
      placement="bottom"
      size="auto"
      title={t('扫准考证二维码')}
      onClose={onClose}
      rootClassName="door-sheet"
    >
      {why ? <Alert type="warning" showIcon title={t(words[why])} /> : <Camera onRead={onRead} onFail={setWhy} />}
      <Form
        onFinish={({ typed = '' }: { typed?: string }) => typed.trim() && onRead(typed.trim())}
        style={{ marginBlockStart: 12 }}
      >
        <Space.Compact block>
          <Form.Item name="typed" noStyle>
            <Input
              size="large"
              autoComplete="off"
              placeholder={t('座位号或准考证号')}
              aria-label={t('座位号或准考证号')}
            />
          </Form.Item>
          <Button size="large" type="primary" htmlType="submit">
            {t('查找')}
          </Button>
        </Space.Compact>
      </Form>
    </Drawer>
  )
}
