import '@testing-library/jest-dom/vitest'
import '../../../tests/helper/screens-page.tsx'
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { wire } from '../../../tests/helper/screens-wire.ts'

const { default: CropDialog } = await import('../candidate/files/CropDialog.tsx')
const { useUploads } = await import('../candidate/files/use-uploads.ts')
const { CardPictures } = await import('../../platform/accounts/pages/register/CardPictures.tsx')
const { ChangeRequest } = await import('../../platform/accounts/pages/candidate/ChangeRequest.tsx')
const { UploadField } = await import('./UploadField.tsx')
const { TransitRow } = await import('../candidate/files/TransitRow.tsx')

const inHeif = (brand: string): number[] => [0, 0, 0, 24, ...[...`ftyp${brand}`].map(one => one.charCodeAt(0))]
const jpeg = [0xff, 0xd8, 0xff, 0xe0]
const file = (bytes: number[], name: string, type = 'image/jpeg', size = 100): File => {
  const made = new File([new Uint8Array(size).fill(0)], name, { type })
  const whole = new Uint8Array(size)
  whole.set(bytes)
  return new File([whole], made.name, { type })
}

/** A browser that reads the pictures it is told to. */
const browser = { reads: false, decoded: 0 }
vi.stubGlobal('createImageBitmap', async () => {
  browser.decoded++
  if (!browser.reads) throw new DOMException('The source image could not be decoded.', 'InvalidStateError')
  return { width: 4000, height: 3000 }
})

const sent: File[] = []

beforeEach(() => {
  browser.reads = false
  browser.decoded = 0
  sent.length = 0
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => undefined
  HTMLCanvasElement.prototype.getContext = (() => ({ fillRect() {}, drawImage() {} })) as never
  HTMLCanvasElement.prototype.toBlob = done => done(new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }))
  wire.answer = ({ body }) => {
    sent.push((body as FormData).get('file') as File)
    return { data: { attachId: '5', originalName: 'a.jpg', size: 1, extension: 'jpg' } }
  }
})

const others: File[] = []
const setOther = (next: File): void => {
  others.push(next)
}

const crop = (of: File) =>
  render(
    <CropDialog
      file={of}
      width={295}
      height={413}
      onDone={() => undefined}
      onOther={setOther}
      onClose={() => undefined}
    />,
  )

test.each(['heic', 'heix', 'mif1', 'msf1'])(
  'a %s photo that the browser cannot read opens words and no black field',
  async brand => {
    crop(file(inHeif(brand), 'IMG_0001.jpg'))
    const words = await screen.findByRole('alert')
    expect(words).toHaveTextContent('HEIC')
    expect(words).toHaveTextContent('兼容性最佳')
    expect(words).toHaveTextContent('截屏')
    expect(document.querySelector('.form-crop')).toBeNull()
  },
)

test('a damaged photo and what is no picture say so, each with a way to take another', async () => {
  crop(file(jpeg, 'a.jpg'))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    '这张照片无法读取。请在手机相册中选“编辑→另存为 JPG”，或重新拍一张',
  )
  const next = file(jpeg, 'b.jpg')
  expect(screen.getByRole('button', { name: /换一张$/ })).toBeEnabled()
  choose(next)
  expect(others).toEqual([next])
  cleanup()
  crop(file([1, 2, 3], 'a.jpg'))
  expect(await screen.findByRole('alert')).toHaveTextContent('这不是 jpg 或 png 图片')
})

test('a browser that reads HEIC crops it like any photo', async () => {
  browser.reads = true
  crop(file(inHeif('heic'), 'IMG_0001.HEIC', 'image/heic'))
  await waitFor(() => expect(document.querySelector('.form-crop img')).not.toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
})

const uploads = (maxKB: number) =>
  renderHook(() => useUploads({ owner: 'signup', maxKB, onStored: () => undefined })).result

test('a picture that cannot be read before it is sent is no trouble of the network, and is not offered to be sent again', async () => {
  const state = uploads(1)
  act(() => state.current.add([file(jpeg, 'a.jpg', 'image/jpeg', 4000)]))
  await waitFor(() => expect(state.current.list[0]?.error).toMatch(/^这张照片无法读取.*重新拍一张/))
  act(() => state.current.add([file(inHeif('heic'), 'b.jpg')]))
  await waitFor(() => expect(state.current.list[1]?.error).toMatch(/HEIC.*兼容性最佳/))
  act(() =>
    state.current.add([
      file(
        [...'%PDF'].map(one => one.charCodeAt(0)),
        'c.pdf',
        'application/pdf',
        4000,
      ),
    ]),
  )
  await waitFor(() => expect(state.current.list[2]?.error).toMatch(/^文件超过 1 KB.*压缩或拆分/))
  expect(sent).toEqual([])
  render(
    <ul>
      <TransitRow
        of={state.current.list[0]!}
        accept=".jpg"
        onRetry={() => undefined}
        onOther={setOther}
        onDrop={() => undefined}
      />
    </ul>,
  )
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
  expect(screen.getByRole('button', { name: /换一张$/ })).toBeEnabled()
  expect(screen.getByRole('button', { name: '移除' })).toBeVisible()
})

test('without a network it still says so, and can be sent again', async () => {
  browser.reads = true
  wire.answer = () => {
    throw new Error('Network Error')
  }
  const state = uploads(100)
  act(() => state.current.add([file(jpeg, 'a.jpg')]))
  await waitFor(() => expect(state.current.list[0]).toMatchObject({ error: '网络不通，没有传完', isUnfit: false }))
})

test('HEIC that the browser reads is sent as JPEG', async () => {
  browser.reads = true
  const state = uploads(100)
  act(() => state.current.add([file(inHeif('heic'), 'IMG_1.HEIC', '')]))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ name: 'IMG_1.jpg', type: 'image/jpeg' })
})

const choose = (of: File): void => {
  fireEvent.change(document.querySelector('input[type=file]') as HTMLInputElement, { target: { files: [of] } })
}

const places: [string, () => ReactNode][] = [
  ['registration', () => <CardPictures cards={{}} onChange={() => undefined} />],
  ['change of data', () => <ChangeRequest onDone={() => undefined} onCancel={() => undefined} />],
  ['console', () => <UploadField kind="image" owner="photo" value={undefined} onChange={() => undefined} />],
]

const show = async (page: () => ReactNode): Promise<void> => {
  const { QueryClient, QueryClientProvider } = await import('@tanstack/react-query')
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>{page()}</App>
    </QueryClientProvider>,
  )
}

test.each(places)(
  '%s: HEIC, damage and what is no picture are said where it was chosen, until another is taken',
  async (_, page) => {
    await show(page)
    for (const [bytes, words] of [
      [inHeif('heic'), /HEIC.*兼容性最佳/],
      [jpeg, /这张照片无法读取.*重新拍一张/],
      [[1, 2, 3], /这不是 jpg 或 png 图片。请换一张/],
    ] as const) {
      choose(file([...bytes], 'IMG_1.jpg'))
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(words))
    }
    choose(new File([], 'IMG_1.jpg', { type: 'image/jpeg' }))
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('这个文件是空的'))
    expect(sent).toEqual([])
    browser.reads = true
    choose(file(jpeg, 'IMG_1.jpg'))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  },
)

test.each([
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'a.b.jpg', 'a.b.png', 'image/png'],
  ['jpg', jpeg, 'a.jfif', 'a.jpg', 'image/jpeg'],
  ['jpg', jpeg, 'A.JPEG', 'A.JPEG', 'image/jpeg'],
] as const)('a %s picture is sent under a name that says so', async (_, bytes, name, called, type) => {
  browser.reads = true
  const state = uploads(100)
  act(() => state.current.add([file([...bytes], name)]))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ name: called, type })
  await show(() => <UploadField kind="image" owner="photo" value={undefined} onChange={() => undefined} />)
  choose(file([...bytes], name))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toMatchObject({ name: called, type })
})

test('a refusal of the server stands at the field of the console', async () => {
  browser.reads = true
  wire.answer = () => ({ status: 400, code: 28003, msg: '文件内容与格式不符，请用图片软件另存为jpg或png' })
  await show(() => <UploadField kind="image" owner="photo" value={undefined} onChange={() => undefined} />)
  choose(file(jpeg, 'a.jpg'))
  expect(await screen.findByRole('alert')).toHaveTextContent('另存为jpg或png')
})
