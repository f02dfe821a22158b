import { Button, Modal } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { useT } from '../../../i18n.ts'
import { cropped } from './picture.ts'

/** Below this share of the wanted width a part of a picture is too small to be enlarged. */
const LEAST = 0.6

function useUrl(file: File): string {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}

/** Chooses the part of a picture that becomes the photo, and shows it in its exact shape. */
export default function CropDialog({
  file,
  width,
  height,
  onDone,
  onClose,
}: {
  file: File
  /** Pixels of the photo. */
  width: number
  height: number
  onDone: (photo: File) => void
  onClose: () => void
}): ReactNode {
  const t = useT()
  const url = useUrl(file)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [failed, setFailed] = useState(false)
  const isSmall = area !== undefined && area.width < width * LEAST
  const done = async (): Promise<void> => {
    if (!area) return
    try {
      onDone(await cropped(file, area, { width, height }))
    } catch {
      setFailed(true)
    }
  }
  const trouble = failed
    ? t('无法读取这张图片，请换一张')
    : isSmall
      ? t('选中的部分太小，照片会模糊，请缩小或换一张')
      : ''
  return (
    <Modal
      open
      title={t('裁剪照片')}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <Button type="primary" size="large" block disabled={!area || isSmall} onClick={() => void done()}>
          {t('使用这张照片')}
        </Button>
      }
    >
      <div className="form-crop">
        {url && (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            aspect={width / height}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
          />
        )}
      </div>
      <label className="in-tick">
        {t('缩放')}
        <input
          type="range"
          min={1}
          max={3}
          step={0.02}
          value={zoom}
          style={{ flex: 1 }}
          onChange={event => setZoom(Number(event.target.value))}
        />
      </label>
      <p className="my-quiet">{t('拖动照片，让头部居中；成品为 {{width}}×{{height}} 像素', { width, height })}</p>
      {trouble && (
        <p className="in-problem" role="alert">
          {trouble}
        </p>
      )}
    </Modal>
  )
}
