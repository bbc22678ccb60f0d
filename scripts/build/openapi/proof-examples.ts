/* Examples of what the driver of the order of the other examples has proven. */

const mediaAssetId = '01976e2e-1b20-7c44-9a31-0d5e8f7c6b21';
const pictureHash = '5b1d7c0e9f3a48626d80c1e4a7f2b35990e1d2c3b4a5968778695a4b3c2d1e0f';
const exampleProof = {
  evidence: 'COMPLETE',
  sha256: '9f2b6c1f0a7d4e83b5c2d1908e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f',
};

export const PROOF_ANSWER_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'proofs.upload': { mediaAssetId, sha256: pictureHash },
  'proofs.get': {
    kind: 'DELIVERY',
    evidence: exampleProof.evidence,
    reasonCode: null,
    required: ['PIN', 'PHOTO'],
    pin: { verifiedAt: '2030-01-31T10:04:50.902114Z' },
    pinMessage: 'SENT',
    signedBy: 'Huda Al-Salem',
    media: [
      {
        mediaAssetId,
        purpose: 'DELIVERY_PHOTO',
        contentType: 'image/jpeg',
        sha256: pictureHash,
        sizeBytes: 184_220,
        recordedAt: '2030-01-31T10:04:31.118400Z',
        availableUntil: '2030-07-30T10:04:31.118400Z',
      },
    ],
    place: {
      latitude: 24.7772,
      longitude: 46.6613,
      recordedAt: '2030-01-31T10:04:48.000000Z',
      metersFromDestination: 15,
    },
    arrivedAt: '2030-01-31T10:02:40.551770Z',
    arrivalTakenAt: '2030-01-31T10:02:40.120000Z',
    waitedSeconds: 130,
    calledAt: null,
    releasedAt: null,
    takenAt: '2030-01-31T10:04:51.020000Z',
    recordedAt: '2030-01-31T10:04:51.338120Z',
    sha256: exampleProof.sha256,
    record: '{"arrivedAt":"2030-01-31T10:02:40.551770Z","evidence":"COMPLETE"}',
  },
  'proofs.resendPin': { resendsRemaining: 2 },
};
