import { Image, type ImageProps } from 'antd'

/** A picture that opens larger on a click. */
export default function LargePicture(props: ImageProps) {
  return <Image {...props} />
}
