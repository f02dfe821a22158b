/** Opens the stored secrets of test databases. */
export const testSecretKey = 'f3a9d07c51b8e64290ad3c7be1586f02'
