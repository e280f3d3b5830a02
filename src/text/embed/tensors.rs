//! A file of tensors in the format of safetensors, of which those asked for are read.
//!
//! Owns the format: the length of a header in eight bytes, the header as JSON, the numbers. Knows no model.
//! Source: <https://github.com/huggingface/safetensors#format>.

use super::folder::{ModelError, short};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// A file of weights is not longer.
const LONGEST_FILE: u64 = 8 << 30;
/// The header, which has a line for each tensor, is not longer.
const LONGEST_HEADER: u64 = 16 << 20;
/// So much of both ends of the numbers goes into the fingerprint.
const FINGERPRINTED: u64 = 1 << 16;

/// The tensors of a file.
#[derive(Debug)]
pub(super) struct Tensors {
    path: String,
    file: File,
    header: Map<String, Value>,
    /// Where the numbers begin.
    begin: u64,
    /// How many bytes of numbers there are.
    bytes: u64,
    fingerprint: blake3::Hash,
}

/// How a number is written.
#[derive(Clone, Copy, Debug)]
enum Kind {
    F32,
    F16,
    BF16,
    F64,
    I32,
    I64,
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Self::F16 | Self::BF16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }
}

/// Where a tensor lies, and how its numbers are written.
#[derive(Clone, Debug)]
struct Place {
    kind: Kind,
    shape: Vec<usize>,
    begin: u64,
    bytes: usize,
}

impl Tensors {
    /// Reads the header.
    pub(super) fn open(path: &Path) -> Result<Self, ModelError> {
        let name = path.display().to_string();
        let bad = |reason: String| ModelError::File { file: name.clone(), reason };
        let mut file = File::open(path).map_err(|error| bad(error.to_string()))?;
        let bytes = file.metadata().map_err(|error| bad(error.to_string()))?.len();
        if bytes > LONGEST_FILE {
            return Err(ModelError::TooLong { file: name, bytes, most: LONGEST_FILE });
        }
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(|_short| bad(format!("{bytes} bytes are too few for the length of a header")))?;
        let length = u64::from_le_bytes(length);
        let rest = bytes.saturating_sub(8);
        if length > LONGEST_HEADER.min(rest) {
            return Err(bad(format!("a header of {length} bytes, of at most {}", LONGEST_HEADER.min(rest))));
        }
        let mut header = Vec::new();
        (&mut file).take(length).read_to_end(&mut header).map_err(|error| bad(error.to_string()))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&header);
        let Ok(Value::Object(header)) = serde_json::from_slice(&header) else { return Err(bad("its header is no JSON object".to_owned())) };
        let mut this = Self { path: name, file, header, begin: 8 + length, bytes: rest - length, fingerprint: hasher.finalize() };
        let ends = [0, this.bytes.saturating_sub(FINGERPRINTED)];
        for end in ends {
            let some = this.bytes_at(end, usize::try_from(FINGERPRINTED.min(this.bytes)).unwrap_or(0));
            hasher.update(&some.map_err(|reason| ModelError::File { file: this.path.clone(), reason })?);
        }
        this.fingerprint = hasher.finalize();
        Ok(this)
    }

    /// What tells these weights from others: a hash of the header and of both ends of the numbers.
    pub(super) fn fingerprint(&self) -> blake3::Hash {
        self.fingerprint
    }

    /// Whether there is such a tensor.
    pub(super) fn has(&self, name: &str) -> bool {
        self.header.contains_key(name)
    }

    /// How long a tensor is in each dimension.
    pub(super) fn shape(&self, name: &str) -> Result<Vec<usize>, ModelError> {
        self.place(name).map(|place| place.shape)
    }

    /// The numbers of a tensor of that shape, the last dimension fastest; all of them finite.
    pub(super) fn numbers(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let place = self.place_of_shape(name, shape)?;
        let bytes = self.bytes_at(place.begin, place.bytes).map_err(|reason| self.wrong(name, reason))?;
        let numbers = match place.kind {
            Kind::F32 => each(&bytes, f32::from_le_bytes),
            Kind::F16 => each(&bytes, |two| half(u16::from_le_bytes(two))),
            Kind::BF16 => each(&bytes, |two| f32::from_bits(u32::from(u16::from_le_bytes(two)) << 16)),
            Kind::F64 => each(&bytes, |eight| single(f64::from_le_bytes(eight))),
            Kind::I32 | Kind::I64 => return Err(self.wrong(name, "whole numbers, where others are needed")),
        };
        match numbers.iter().position(|number| !number.is_finite()) {
            Some(at) => Err(self.wrong(name, format!("number {at} is not finite"))),
            None => Ok(numbers),
        }
    }

    /// The whole numbers of a tensor of that shape, each below the bound.
    pub(super) fn indices(&mut self, name: &str, shape: &[usize], bound: usize) -> Result<Vec<usize>, ModelError> {
        let place = self.place_of_shape(name, shape)?;
        let bytes = self.bytes_at(place.begin, place.bytes).map_err(|reason| self.wrong(name, reason))?;
        let numbers: Vec<Option<usize>> = match place.kind {
            Kind::I32 => each(&bytes, |four| usize::try_from(i32::from_le_bytes(four)).ok()),
            Kind::I64 => each(&bytes, |eight| usize::try_from(i64::from_le_bytes(eight)).ok()),
            Kind::F32 | Kind::F16 | Kind::BF16 | Kind::F64 => return Err(self.wrong(name, "fractions, where whole numbers are needed")),
        };
        let within = numbers.into_iter().enumerate().map(|(at, number)| {
            number.filter(|number| *number < bound).ok_or_else(|| self.wrong(name, format!("number {at} is not below {bound}")))
        });
        within.collect()
    }

    pub(super) fn wrong(&self, tensor: &str, reason: impl Into<String>) -> ModelError {
        ModelError::Field { file: self.path.clone(), field: tensor.to_owned(), reason: reason.into() }
    }

    fn place_of_shape(&self, name: &str, shape: &[usize]) -> Result<Place, ModelError> {
        let place = self.place(name)?;
        if place.shape == shape { Ok(place) } else { Err(self.wrong(name, format!("its shape is {:?} and not {shape:?}", place.shape))) }
    }

    fn place(&self, name: &str) -> Result<Place, ModelError> {
        let said = self.header.get(name).ok_or_else(|| self.wrong(name, "there is no such tensor"))?;
        let field = |field: &str| said.get(field).ok_or_else(|| self.wrong(name, format!("it has no {field}")));
        let wholes = |field_name: &str| {
            let value = field(field_name)?;
            let listed = value.as_array().and_then(|list| list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>());
            listed.ok_or_else(|| self.wrong(name, format!("{field_name}: {} is no list of whole numbers", short(value))))
        };
        let dtype = field("dtype")?;
        let kind = match dtype.as_str() {
            Some("F32") => Kind::F32,
            Some("F16") => Kind::F16,
            Some("BF16") => Kind::BF16,
            Some("F64") => Kind::F64,
            Some("I32") => Kind::I32,
            Some("I64") => Kind::I64,
            _ => return Err(self.wrong(name, format!("dtype: {} is not read", short(dtype)))),
        };
        let shape = wholes("shape")?.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>();
        let shape = shape.map_err(|_too_long| self.wrong(name, "shape: a dimension is too long"))?;
        let needed = shape.iter().try_fold(kind.bytes(), |product, length| product.checked_mul(*length));
        let needed = needed.ok_or_else(|| self.wrong(name, format!("shape: {shape:?} is too large")))?;
        let offsets = wholes("data_offsets")?;
        let &[begin, end] = offsets.as_slice() else {
            return Err(self.wrong(name, format!("data_offsets: {} numbers, and not two", offsets.len())));
        };
        if begin > end || end > self.bytes {
            return Err(self.wrong(name, format!("data_offsets: {begin} to {end}, of {} bytes", self.bytes)));
        }
        if u64::try_from(needed) != Ok(end - begin) {
            return Err(self.wrong(name, format!("data_offsets: {} bytes for a shape of {needed}", end - begin)));
        }
        Ok(Place { kind, shape, begin, bytes: needed })
    }

    fn bytes_at(&mut self, begin: u64, length: usize) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; length];
        self.file.seek(SeekFrom::Start(self.begin + begin)).map_err(|error| error.to_string())?;
        self.file.read_exact(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}

/// What is made of each so many bytes.
fn each<const N: usize, T>(bytes: &[u8], of: impl Fn([u8; N]) -> T) -> Vec<T> {
    let (chunks, _) = bytes.as_chunks();
    chunks.iter().map(|chunk| of(*chunk)).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is meant; what overflows is infinite and refused")]
fn single(number: f64) -> f32 {
    number as f32
}

/// A number of IEEE 754's half precision.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (bits >> 10 & 0x1f, f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        0x1f if fraction > 0.0 => f32::NAN,
        0x1f => f32::INFINITY,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(i32::from(exponent) - 15),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use std::fs;

    /// A file of tensors of four-byte numbers.
    pub(in crate::text) fn file_of(tensors: &[(&str, &[usize], &[f32])]) -> Vec<u8> {
        let mut header = Map::new();
        let mut numbers = Vec::new();
        for (name, shape, values) in tensors {
            let begin = numbers.len();
            numbers.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            header.insert((*name).to_owned(), json!({ "dtype": "F32", "shape": shape, "data_offsets": [begin, numbers.len()] }));
        }
        let header = Value::Object(header).to_string();
        let mut bytes = u64::try_from(header.len()).unwrap().to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(numbers);
        bytes
    }

    fn read(bytes: &[u8], name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        fs::write(&path, bytes).unwrap();
        Tensors::open(&path)?.numbers(name, shape)
    }

    /// The same header's length, another header.
    fn with_header(header: &str, numbers: &[u8]) -> Vec<u8> {
        let length = u64::try_from(header.len()).unwrap().to_le_bytes();
        [length.as_slice(), header.as_bytes(), numbers].concat()
    }

    #[test]
    fn numbers_of_each_kind_are_read_as_they_are_meant() {
        let bytes = file_of(&[("a", &[2], &[7.0, 8.0]), ("b", &[1, 3], &[1.5, -2.0, 0.25])]);
        assert_eq!(read(&bytes, "b", &[1, 3]).unwrap(), [1.5, -2.0, 0.25]);
        let halves = r#"{"h":{"dtype":"F16","shape":[4],"data_offsets":[0,8]},"b":{"dtype":"BF16","shape":[1],"data_offsets":[8,10]}}"#;
        let numbers = [0x00, 0x3e, 0x00, 0xc0, 0x01, 0x00, 0xff, 0x7b, 0xc0, 0x3f];
        assert_eq!(read(&with_header(halves, &numbers), "h", &[4]).unwrap(), [1.5, -2.0, 2.0_f32.powi(-24), 65_504.0]);
        assert_eq!(read(&with_header(halves, &numbers), "b", &[1]).unwrap(), [1.5]);
    }

    #[test]
    fn what_is_wrong_is_told_by_file_and_tensor() {
        let told = |bytes: &[u8], name: &str, shape: &[usize]| read(bytes, name, shape).unwrap_err().to_string();
        let good = file_of(&[("a", &[2], &[7.0, 8.0])]);
        for (message, said) in [
            (told(&good, "z", &[2]), "model.safetensors: z: there is no such tensor"),
            (told(&good, "a", &[3]), "model.safetensors: a: its shape is [2] and not [3]"),
            (told(&[1, 2], "a", &[2]), "model.safetensors: 2 bytes are too few"),
            (told(&[0xff; 64], "a", &[2]), "model.safetensors: a header of 18446744073709551615 bytes, of at most 56"),
            (told(&with_header("[1]", &[]), "a", &[2]), "no JSON object"),
            (told(&file_of(&[("a", &[1], &[f32::NAN])]), "a", &[1]), "a: number 0 is not finite"),
            (
                told(&with_header(r#"{"a":{"dtype":"Q4","shape":[1],"data_offsets":[0,4]}}"#, &[0; 4]), "a", &[1]),
                "a: dtype: \"Q4\" is not read",
            ),
            (
                told(&with_header(r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}"#, &[0; 4]), "a", &[1]),
                "a: data_offsets: 0 to 8, of 4 bytes",
            ),
            (
                told(&with_header(r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#, &[0; 4]), "a", &[2]),
                "4 bytes for a shape of 8",
            ),
            (
                told(&with_header(r#"{"a":{"dtype":"F32","shape":[4611686018427387904,8],"data_offsets":[0,4]}}"#, &[0; 4]), "a", &[1]),
                "too large",
            ),
            (
                told(&with_header(r#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#, &[0; 4]), "a", &[1]),
                "shape: [-1] is no list",
            ),
            (told(&with_header(r#"{"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}"#, &[0; 8]), "a", &[1]), "a: whole numbers"),
        ] {
            assert!(message.contains(said), "{message:?} does not say {said:?}");
        }
    }

    #[test]
    fn a_file_cut_anywhere_is_refused() {
        let good = file_of(&[("a", &[2], &[7.0, 8.0]), ("b", &[1, 3], &[1.5, -2.0, 0.25])]);
        for length in 0..good.len() {
            assert!(read(&good[..length], "b", &[1, 3]).is_err(), "{length} of {} bytes", good.len());
        }
        assert!(read(&good, "b", &[1, 3]).is_ok());
    }

    #[test]
    fn other_weights_have_another_fingerprint() {
        let fingerprint = |last: f32| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("model.safetensors");
            fs::write(&path, file_of(&[("a", &[2], &[7.0, last])])).unwrap();
            Tensors::open(&path).unwrap().fingerprint()
        };
        assert_eq!(fingerprint(1.0), fingerprint(1.0));
        assert_ne!(fingerprint(1.0), fingerprint(2.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn bytes_turned_over_are_read_or_refused_and_nothing_else(changes in prop::collection::vec((0_usize..200, any::<u8>()), 1..6)) {
            let mut bytes = file_of(&[("a", &[2], &[7.0, 8.0]), ("b", &[1, 3], &[1.5, -2.0, 0.25])]);
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            if let Ok(numbers) = read(&bytes, "b", &[1, 3]) {
                prop_assert!(numbers.len() == 3 && numbers.iter().all(|number| number.is_finite()));
            }
        }
    }
}
