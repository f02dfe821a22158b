import { UserOutlined } from '@ant-design/icons'
import { Avatar } from 'antd'
import type { ReactNode } from 'react'
import { usePicture } from '../fields/attach.ts'

/** The picture of the person who is signed in, fetched with the token; the default one until it is here, and if it cannot be shown. */
export default function Portrait({ id, size }: { id: string; size: number }): ReactNode {
  const { data } = usePicture(id)
  return <Avatar size={size} src={data} icon={<UserOutlined aria-hidden />} alt="" />
}
