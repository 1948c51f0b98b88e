#include "dimgate/dispatch.hpp"
