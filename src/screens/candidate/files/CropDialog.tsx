import { Button, Modal, Spin } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { useT } from '../../../platform/i18n/i18n.ts'
import { cropped, FileProblem, PHOTO_TYPES, PICTURE_TROUBLE, readable } from '../../fields/picture-file.ts'
import { FilePick } from './FilePick.tsx'

/** Below this share of the wanted width a part of a picture is too small to be enlarged. */
const LEAST = 0.6

interface Picture {
  /** The picture as it can be drawn, and its address. */
  file: File
  url: string
}

/** The picture once it is known that the browser can read it, or what to do when it cannot. */
function usePicture(file: File): { picture?: Picture; problem?: string } {
  const [state, setState] = useState<{ picture?: Picture; problem?: string }>({})
  useEffect(() => {
    let url = ''
    let isGone = false
    setState({})
    readable(file).then(
      ready => {
        if (isGone) return
        url = URL.createObjectURL(ready)
        setState({ picture: { file: ready, url } })
      },
      (error: unknown) => isGone || setState({ problem: problemOf(error) }),
    )
    return () => {
      isGone = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [file])
  return state
}

const problemOf = (error: unknown): string => (error instanceof FileProblem ? error.message : PICTURE_TROUBLE.broken)

/** Chooses the part of a picture that becomes the photo, and shows it in its exact shape. */
export default function CropDialog({
  file,
  width,
  height,
  onDone,
  onOther,
  onClose,
}: {
  file: File
  /** Pixels of the photo. */
  width: number
  height: number
  onDone: (photo: File) => void
  /** Another picture is taken instead. */
  onOther: (file: File) => void
  onClose: () => void
}): ReactNode {
  const t = useT()
  const { picture, problem: unread } = usePicture(file)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [failed, setFailed] = useState('')
  const isSmall = area !== undefined && area.width < width * LEAST
  const done = async (): Promise<void> => {
    if (!area || !picture) return
    try {
      onDone(await cropped(picture.file, area, { width, height }))
    } catch (error) {
      setFailed(problemOf(error))
    }
  }
  const problem = unread || failed
  const other = (isOnly: boolean): ReactNode => (
    <FilePick accept={PHOTO_TYPES} type={isOnly ? 'primary' : 'default'} onPick={([next]) => next && onOther(next)}>
      {t('换一张')}
    </FilePick>
  )
  if (problem)
    return (
      <Modal open title={t('裁剪照片')} onCancel={onClose} footer={other(true)}>
        <p className="in-problem" role="alert">
          {t(problem)}
        </p>
      </Modal>
    )
  return (
    <Modal
      open
      title={t('裁剪照片')}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <div className="form-crop-foot">
          {other(false)}
          <Button type="primary" size="large" disabled={!area || isSmall} onClick={() => void done()}>
            {t('使用这张照片')}
          </Button>
        </div>
      }
    >
      <div className="form-crop">
        {picture ? (
          <Cropper
            image={picture.url}
            mediaProps={{ onError: () => setFailed(PICTURE_TROUBLE.broken) }}
            crop={crop}
            zoom={zoom}
            aspect={width / height}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
          />
        ) : (
          <Spin description={t('正在读取照片')} className="form-crop-wait" />
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
      {isSmall && (
        <p className="in-problem" role="alert">
          {t('选中的部分太小，照片会模糊，请缩小或换一张')}
        </p>
      )}
    </Modal>
  )
}
