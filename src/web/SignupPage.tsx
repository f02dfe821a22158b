import type { ReactNode } from 'react'
import { adjustParts } from '../modules/reduction/pages/candidate/signup-parts.ts'
import { SignupPage } from '../modules/sign-up/pages/mine/SignupPage.tsx'

const parts = [adjustParts]

/** The page of a sign-up, with the parts that later modules add to it. */
export default function SignupPageWithParts(): ReactNode {
  return <SignupPage parts={parts} />
}
